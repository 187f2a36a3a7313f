"""A run that kills itself at its n-th step on the disk: a sync or a rename, in the store, the manifest or the report.

As a program (OUT TRIALS REPORT) it reads "n cut" lines; each forks a run that dies there by SIGKILL.  A death at the
sync of a file first cuts the file to that share of its length: what had not been synced when the power failed.  Each
line is answered by how the run ended: "died", or "done" with the number of steps when it ended before.
"""

from __future__ import annotations

import os
import signal
import stat
import sys


class Steps:
    """Counts syncs and renames; at the n-th the process ends for good."""

    def __init__(self, last: int, cut: float) -> None:
        self.count, self.last, self.cut = 0, last, cut
        self.sync, self.rename = os.fsync, os.replace

    def step(self) -> bool:
        self.count += 1
        return self.count == self.last

    def fsync(self, handle):
        if self.step():
            if stat.S_ISREG(os.fstat(handle).st_mode):
                os.ftruncate(handle, int(os.fstat(handle).st_size * self.cut))
            os.kill(os.getpid(), signal.SIGKILL)
        self.sync(handle)

    def replace(self, old, new, **options):
        if self.step():
            os.kill(os.getpid(), signal.SIGKILL)
        self.rename(old, new, **options)
        if self.step():
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    import joblib  # noqa: F401 - once for all the runs that are forked

    from analysis import runner
    from tests.madeup import MadeUp, experiment, install

    out, trials, report = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "report"
    asked = experiment(install(MadeUp()), trials)

    def finish(folder):
        from analysis.report import facts, files

        files.write(facts.of(folder), folder)

    for line in sys.stdin:
        last, cut = line.split()
        child = os.fork()
        if not child:
            steps = Steps(int(last), float(cut))
            os.fsync, os.replace = steps.fsync, steps.replace
            runner.run(asked, out, workers=2, finish=finish if report else None)
            print(f"done {steps.count}", flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            print("died" if os.WTERMSIG(status) == signal.SIGKILL else f"signal {os.WTERMSIG(status)}", flush=True)
        elif status:
            print(f"failed {status}", flush=True)


if __name__ == "__main__":
    main()
