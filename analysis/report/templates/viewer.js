// The replay viewer: one scene at a time, from the data in the page.
(() => {
  "use strict";
  const games = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const boards = [...document.querySelectorAll(".board")];
  const controls = byId("controls"), slider = controls.querySelector("input"), choice = controls.querySelector("select");
  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  };
  const TEXT = 0, TURN = 1, BEGINS = 2, SEAT = 3, STATES = 4, AT = 5, HANDS = 6, FACTS = 7;
  let game = 0, step = 0;

  const described = (one, scene) => {
    const parts = one.states.map((name, state) => {
      const found = one.places.filter((_, place) => Number(scene[STATES][place]) === state);
      return state === 0 || !found.length ? "" : name + ": " + found.join(", ");
    });
    const stands = one.pieces.map((piece, i) => scene[AT][i] < 0 ? "" : piece[1] + " on " + one.places[scene[AT][i]]);
    return ["The board", ...parts, ...stands].filter(Boolean).join(". ");
  };

  const draw = () => {
    const one = games[game], scene = one.scenes[step], before = one.scenes[Math.max(0, step - 1)];
    const board = boards[game];
    board.querySelectorAll(".place").forEach((place, i) => {
      place.setAttribute("class", "place " + one.looks[scene[STATES][i]]
        + (scene[STATES][i] !== before[STATES][i] ? " changed" : ""));
    });
    const taken = {};
    board.querySelectorAll(".piece").forEach((piece, i) => {
      const place = scene[AT][i];
      piece.style.display = place < 0 ? "none" : "";
      if (place < 0) return;
      const others = scene[AT].filter((other) => other === place).length;
      const number = taken[place] = (taken[place] ?? -1) + 1;
      const apart = Math.min(23, 72 / Math.max(1, others - 1));
      const [x, y] = one.at[place];
      piece.setAttribute("transform", `translate(${(x + (number - (others - 1) / 2) * apart).toFixed(1)} ${y + 31})`);
      piece.setAttribute("class", "piece" + (before[AT][i] !== place ? " moved" : ""));
    });
    board.setAttribute("aria-label", described(one, scene));
    byId("turn").textContent = (scene[TURN] ? "Turn " + scene[TURN] : "Setup")
      + ", step " + step + " of " + (one.scenes.length - 1);
    byId("text").textContent = scene[TEXT];
    slider.max = one.scenes.length - 1;
    slider.value = step;
    slider.setAttribute("aria-valuetext", "step " + step + ": " + scene[TEXT]);
    for (const button of controls.querySelectorAll("button")) {
      const back = ["start", "turn-back", "back"].includes(button.dataset.go);
      button.disabled = back ? step === 0 : step === one.scenes.length - 1;
    }
    byId("facts").replaceChildren(...scene[FACTS].flatMap(([title, value]) => [make("dt", "", title), make("dd", "", value)]));
    byId("seats").replaceChildren(...one.seats.map((name, seat) => {
      const line = make("li");
      const own = one.pieces.map((piece, i) => [piece, i]).filter(([piece]) => piece[2] === seat);
      for (const [piece, i] of own.slice(0, 1)) {
        const drawn = board.querySelectorAll(".piece")[i];
        const dot = make("span", "dot", piece[0]);
        dot.style.background = drawn.querySelector("circle").getAttribute("fill");
        dot.style.color = drawn.querySelector("text").style.fill;
        line.append(dot);
      }
      line.append(make("b", "", name), " ");
      const places = own.map(([, i]) => scene[AT][i]).filter((place) => place >= 0).map((place) => one.places[place]);
      line.append(make("span", "where", places.length ? places.join(", ") : "off the board"));
      line.append(make("span", "hand", scene[HANDS][seat].map((card) => card.replace(/ x(\d+)$/, " ×$1")).join(", ") || "no cards"));
      if (seat === scene[SEAT]) line.setAttribute("aria-current", "true");
      return line;
    }));
  };

  const go = (way) => {
    const scenes = games[game].scenes, last = scenes.length - 1;
    const begins = (at) => scenes[at][BEGINS] === 1;
    let to = step;
    if (way === "start") to = 0;
    if (way === "end") to = last;
    if (way === "back") to = Math.max(0, step - 1);
    if (way === "next") to = Math.min(last, step + 1);
    if (way === "turn-back") { to = Math.max(0, step - 1); while (to > 0 && !begins(to)) to--; }
    if (way === "turn-next") { to = Math.min(last, step + 1); while (to < last && !begins(to)) to++; }
    if (to !== step) { step = to; draw(); }
  };
  const focused = (button) => { if (button.disabled) slider.focus(); };

  controls.hidden = false;
  if (games.length > 1) byId("games").hidden = false;
  for (const button of controls.querySelectorAll("button")) {
    button.addEventListener("click", () => { go(button.dataset.go); focused(button); });
  }
  slider.addEventListener("input", () => { step = Number(slider.value); draw(); });
  choice.addEventListener("change", () => {
    boards[game].style.display = "none";
    game = choice.selectedIndex;
    boards[game].style.display = "";
    step = 0;
    byId("title").textContent = document.title = choice.value;
    draw();
  });
  document.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: "back", ArrowRight: "next", PageUp: "turn-back", PageDown: "turn-next", Home: "start", End: "end" }[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target === choice || event.target.closest("details")) return;
    event.preventDefault();
    go(way);
  });
  draw();
})();
