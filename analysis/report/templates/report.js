// What the page adds where scripts run: values under the pointer or the arrow keys, tables that sort, tables as CSV.
// Without it the page is complete; nothing here asks for anything from outside.
(async () => {
  "use strict";
  // The data are JSON, compressed, in base64.
  const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (letter) => letter.charCodeAt(0));
  const data = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  const status = document.getElementById("status");
  const say = (text) => { status.textContent = text; };
  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    made.className = name;
    if (text) made.textContent = text;
    return made;
  };

  // Charts: data.charts[name] = {t: texts, w: boxes of the wide picture, n: of the narrow one}, a box is x, y, w, h.
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    const spots = data.charts[figure.dataset.chart];
    if (!spots || !spots.t.length) continue;
    const chart = figure.querySelector(".chart");
    const mark = chart.appendChild(make("div", "mark"));
    const tip = chart.appendChild(make("div", "tip"));
    mark.hidden = tip.hidden = true;
    tip.setAttribute("aria-hidden", "true");
    chart.tabIndex = 0;
    chart.setAttribute("role", "group");
    chart.setAttribute("aria-label", "Chart with " + spots.t.length + " values; the arrow keys go through them");
    let at = -1;

    const shown = () => {
      const svg = [...chart.querySelectorAll("svg")].find((one) => getComputedStyle(one).display !== "none");
      const boxes = svg.classList.contains("narrow") ? spots.n : spots.w;
      return { svg, boxes, scale: svg.getBoundingClientRect().width / svg.viewBox.baseVal.width };
    };
    const hide = () => { at = -1; mark.hidden = tip.hidden = true; };
    const show = (index) => {
      at = index;
      const { svg, boxes, scale } = shown();
      const [x, y, width, height] = boxes.slice(4 * at, 4 * at + 4).map((value) => value * scale);
      Object.assign(mark.style, { left: x + "px", top: y + "px", width: width + "px", height: height + "px" });
      tip.textContent = spots.t[at];
      mark.hidden = tip.hidden = false;
      const room = svg.getBoundingClientRect();
      const left = Math.max(0, Math.min(x + width / 2 - tip.offsetWidth / 2, room.width - tip.offsetWidth));
      const above = y - tip.offsetHeight - 6;
      const below = y + height + 6;
      // Above its box, or below where the window ends; tall boxes (a turn of a curve) have it at their side.
      const tall = height > room.height / 3;
      tip.style.left = (tall ? (x + width + tip.offsetWidth + 8 < room.width
        ? x + width + 8 : Math.max(0, x - tip.offsetWidth - 8)) : left) + "px";
      tip.style.top = (tall ? y + 4 : room.top + above > 0 ? above : below) + "px";
    };
    const find = (event) => {
      const { svg, boxes, scale } = shown();
      const room = svg.getBoundingClientRect();
      const x = (event.clientX - room.left) / scale, y = (event.clientY - room.top) / scale;
      for (let i = 0; i < spots.t.length; i++) {
        const b = 4 * i;
        if (x >= boxes[b] && x <= boxes[b] + boxes[b + 2] && y >= boxes[b + 1] && y <= boxes[b + 1] + boxes[b + 3]) return i;
      }
      return -1;
    };
    const point = (event) => {
      const found = find(event);
      if (found < 0) hide(); else if (found !== at) show(found);
    };
    chart.addEventListener("pointermove", point);
    chart.addEventListener("pointerdown", point);
    chart.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });
    chart.addEventListener("blur", hide);
    chart.addEventListener("keydown", (event) => {
      const last = spots.t.length - 1;
      const next = {
        ArrowRight: at < last ? at + 1 : 0, ArrowDown: at < last ? at + 1 : 0,
        ArrowLeft: at > 0 ? at - 1 : last, ArrowUp: at > 0 ? at - 1 : last, Home: 0, End: last,
      }[event.key];
      if (event.key === "Escape") hide();
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      show(next);
      say(spots.t[next].replaceAll("\n", ", "));
    });
  }

  // Tables: a click on a heading sorts by it, once more turns the order round, a third time restores it.
  const words = new Intl.Collator("en", { numeric: true });
  const key = (cell) => cell.dataset.v === undefined ? null : Number(cell.dataset.v);
  for (const table of document.querySelectorAll("table[data-sort]")) {
    const body = table.tBodies[0];
    const original = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.tagName !== "TH") return;
      const button = make("button", "sort");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const numbers = original.some((row) => key(row.cells[column]) !== null);
        const first = numbers ? "descending" : "ascending", second = numbers ? "ascending" : "descending";
        const order = { none: first, [first]: second, [second]: "none" }[head.getAttribute("aria-sort")];
        heads.forEach((one) => { if (one.tagName === "TH") one.setAttribute("aria-sort", "none"); });
        head.setAttribute("aria-sort", order);
        const way = order === "descending" ? -1 : 1;
        const sorted = order === "none" ? original : [...original].sort((a, b) => {
          const one = a.cells[column], other = b.cells[column];
          if (!numbers) return way * words.compare(one.textContent, other.textContent);
          const x = key(one), y = key(other);
          // What has no number stays last, whichever way.
          return x === null || y === null ? (x === null) - (y === null) : way * (x - y);
        });
        body.append(...sorted);
        say(order === "none" ? "In the original order" : "Sorted by " + button.textContent + ", " + order);
      });
    });
  }

  // A copy of each table as CSV, in full precision.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.body.appendChild(make("textarea", "hidden"));
      area.value = text;
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  for (const caption of document.querySelectorAll(".caption[data-table]")) {
    const name = caption.dataset.table;
    const button = make("button", "copy", "Copy CSV");
    button.type = "button";
    button.setAttribute("aria-label", "Copy CSV: " + caption.textContent);
    caption.after(button);
    button.addEventListener("click", async () => {
      const done = await copy(data.tables[name]);
      button.focus();
      button.textContent = done ? "Copied" : "Not copied: the file is tables/" + name + ".csv";
      say(done ? "Copied" : "The browser did not allow the copy");
      setTimeout(() => { button.textContent = "Copy CSV"; }, 2000);
    });
  }
  document.documentElement.dataset.ready = "";
})();
