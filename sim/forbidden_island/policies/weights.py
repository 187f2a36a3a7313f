"""Files of learned weights: one network for each number of players, and where they come from.

A file is NumPy's `npz`: arrays `players_2`, `players_3`, `players_4` (float32, any of them may be missing) and `about`,
a text in JSON: `features` (the digest of what the inputs mean), `trained_for` (the rule sets), and the provenance.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np

from sim.forbidden_island.policies.features import NAMES
from sim.forbidden_island.policies.network import INPUTS, NETWORK, UNITS

SEATS = (2, 3, 4)
FORMAT = 1
MEANING = hashlib.sha256("\n".join(NAMES).encode()).hexdigest()[:16]
"""Changes whenever the features do, so that weights never meet inputs that they were not made for."""


class WeightsError(ValueError):
    """A file is no weights file, or not for this version; the text says which."""


def network_name(players: int) -> str:
    """The name of the network for a number of players."""
    return f"players_{players}"


NETWORKS = tuple(network_name(players) for players in SEATS)


def pack(networks: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> bytes:
    """A weights file as bytes; nothing of the hour is in it."""
    head = {"format": FORMAT, "features": MEANING, "inputs": INPUTS, "units": UNITS, **about}
    arrays: dict[str, Any] = {name: np.asarray(networks[name], np.float32) for name in NETWORKS if name in networks}
    arrays["about"] = np.array(json.dumps(head, sort_keys=True, ensure_ascii=True))
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            inner = io.BytesIO()
            np.lib.format.write_array(inner, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), inner.getvalue(), zipfile.ZIP_DEFLATED, 9)
    return whole.getvalue()


def unpack(data: bytes) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The networks (float64) and what the file says of itself; raises WeightsError."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            about = json.loads(str(stored["about"]))
            networks = {name: stored[name].astype(np.float64) for name in NETWORKS if name in stored.files}
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise WeightsError("is no file of weights (islandlab train writes them)") from error
    mine = {"format": FORMAT, "features": MEANING, "inputs": INPUTS, "units": UNITS}
    if not isinstance(about, dict) or any(about.get(key) != value for key, value in mine.items()):
        raise WeightsError("holds weights for another version of the expert's network; train them anew")
    for name, array in networks.items():
        if array.shape != (NETWORK,) or not np.isfinite(array).all():
            raise WeightsError(f"{name} is not {NETWORK} finite numbers; the file is damaged")
    if not networks:
        raise WeightsError("holds no network")
    return networks, about


@lru_cache(maxsize=1)
def shipped() -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The networks that ship with the package, and their provenance."""
    file = resources.files("sim.forbidden_island.policies").joinpath("expert.npz")
    return unpack(file.read_bytes())


def numbers(networks: Mapping[str, np.ndarray]) -> np.ndarray:
    """All networks in one array as `network_at` finds them; one that is missing is a shipped one."""
    return np.concatenate([networks[name] if name in networks else shipped()[0][name] for name in NETWORKS])
