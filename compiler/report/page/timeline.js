// The timeline: a row per loop with its iterations, a row per unit with its state in
// every cycle. Only the rows and cycles in view are drawn.

const ROW = 15, NAMES = 180;
const line = {rows: [], from: 0, to: 1, top: 0, picture: null, colours: {}};

// setUpTimeline lists the rows and connects the canvas.
function setUpTimeline() {
  M.timing.loops.forEach((l, i) => line.rows.push({loop: i, name: T.measured[i] ? `loop ${loopName(i)}: ${+T.measured[i].toFixed(2)} measured` : loopTitle(i)}));
  const seen = new Set();
  G.nodes.map((n, i) => i).sort((a, b) => G.nodes[a].op - G.nodes[b].op).forEach(i => {
    const n = G.nodes[i];
    if (!n.component || seen.has(n.component)) return;
    seen.add(n.component);
    const ops = nodesOn.get(n.component).map(k => nodeName(G.nodes[k])).join(" + ");
    line.rows.push({comp: compByName.get(n.component).id, name: ops});
  });
  for (const c of F.components) if (c.kind.endsWith("_lane") && T.totals[c.id]) line.rows.push({comp: c.id, name: c.name});
  line.to = T.shown;
  const canvas = byId("timeline");
  canvas.addEventListener("wheel", scrollTimeline, {passive: false});
  canvas.addEventListener("pointerdown", dragTimeline);
  canvas.addEventListener("pointermove", pointTimeline);
  canvas.addEventListener("pointerleave", () => { byId("timeline").title = ""; });
  new ResizeObserver(drawTimeline).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTimeline);
}

// loopTitle states the interval of a loop, expected and measured.
function loopTitle(i) {
  const l = M.timing.loops[i], measured = T ? T.measured[i] : 0;
  return `loop ${loopName(i)}: ${expected(l)} expected` + (measured ? `, ${+measured.toFixed(2)} measured` : "");
}

const rowsInView = canvas => Math.floor((canvas.clientHeight - ROW) / ROW);
const cycleX = (canvas, c) => NAMES + (c - line.from) / (line.to - line.from) * (canvas.clientWidth - NAMES);
const cycleAt = (canvas, x) => line.from + (x - NAMES) / (canvas.clientWidth - NAMES) * (line.to - line.from);

// drawTimeline draws all but the mark of the present cycle, and keeps the picture.
function drawTimeline() {
  const canvas = byId("timeline"), k = window.devicePixelRatio || 1;
  if (!canvas.clientWidth) return;
  canvas.width = canvas.clientWidth * k;
  canvas.height = canvas.clientHeight * k;
  line.picture = document.createElement("canvas");
  line.picture.width = canvas.width;
  line.picture.height = canvas.height;
  const g = line.picture.getContext("2d"), style = getComputedStyle(document.documentElement);
  for (const name of ["bg", "ink", "dim", "line", "soft", "token", "data", "room", "hot", "loop0", "loop1", "loop2", "loop3", "loop4", "loop5"])
    line.colours[name] = style.getPropertyValue("--" + name).trim();
  g.scale(k, k);
  g.fillStyle = line.colours.bg;
  g.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  g.textBaseline = "middle";
  drawAxis(g, canvas);
  line.top = Math.max(0, Math.min(line.top, line.rows.length - rowsInView(canvas)));
  for (let i = 0; i < rowsInView(canvas) && line.top + i < line.rows.length; i++) drawRow(g, canvas, line.rows[line.top + i], ROW * (i + 1));
  paintTimeline();
}

// drawAxis writes round numbers of cycles.
function drawAxis(g, canvas) {
  let step = 1;
  for (let k = 0; cycleX(canvas, line.from + step) - NAMES < 55; k++) step *= k % 3 === 1 ? 2.5 : 2;
  step = Math.ceil(step);
  g.font = "10px system-ui,sans-serif";
  for (let c = Math.ceil(line.from / step) * step; c < line.to; c += step) {
    const x = cycleX(canvas, c);
    g.fillStyle = line.colours.line;
    g.fillRect(x, ROW - 3, 1, canvas.clientHeight);
    g.fillStyle = line.colours.dim;
    g.fillText(String(c), x + 2, ROW / 2);
  }
  g.fillText(`${line.rows.length} rows${line.rows.length > rowsInView(canvas) ? ", wheel for more" : ""}`, 8, ROW / 2);
}

// drawRow draws a loop or a unit.
function drawRow(g, canvas, row, y) {
  g.fillStyle = line.colours[row.loop === undefined ? "ink" : "loop" + row.loop % 6];
  g.font = (row.loop === undefined ? "" : "bold ") + "11px system-ui,sans-serif";
  let name = row.name;
  while (g.measureText(name).width > NAMES - 12 && name.length > 1) name = name.slice(0, -2) + "…";
  if (row.loop !== undefined) drawIterations(g, canvas, row.loop, y);
  g.fillText(name, 8, y + ROW / 2);
  if (row.loop === undefined) drawStates(g, canvas, row.comp, y);
}

// drawIterations marks each iteration of a loop.
function drawIterations(g, canvas, loop, y) {
  const at = T.iterations[loop];
  let last = -9;
  for (let i = upTo(at, line.from - 1); i < at.length && at[i] < line.to; i++) {
    const x = cycleX(canvas, at[i]);
    if (x - last < 1.5) continue;
    g.fillRect(x, y + 2, 1.5, ROW - 4);
    last = x;
  }
}

// drawStates fills the stretches of a unit. Where cycles are narrower than pixels, a pixel
// has the state that takes most of it.
function drawStates(g, canvas, comp, y) {
  const s = T.states[comp], colours = [line.colours.token, line.colours.data, line.colours.room];
  if (!s) return;
  const first = Math.max(0, upTo(s.from, line.from) - 1), perPixel = (line.to - line.from) / (canvas.clientWidth - NAMES);
  const bins = perPixel > 0.7 ? new Map() : null;
  for (let i = first; i < s.from.length && s.from[i] < line.to; i++) {
    const x0 = Math.max(NAMES, cycleX(canvas, s.from[i])), x1 = Math.min(canvas.clientWidth, cycleX(canvas, s.to[i]));
    if (x1 <= x0) continue;
    if (!bins) {
      g.fillStyle = colours[s.state[i]];
      g.fillRect(x0, y + (s.state[i] ? 5 : 2), Math.max(1, x1 - x0 - (perPixel < 0.15 ? 1 : 0)), ROW - (s.state[i] ? 8 : 4));
      continue;
    }
    for (let p = Math.floor(x0); p < x1; p++) {
      if (!bins.has(p)) bins.set(p, [0, 0, 0]);
      bins.get(p)[s.state[i]] += Math.min(x1, p + 1) - Math.max(x0, p);
    }
  }
  for (const [p, b] of bins || []) {
    const k = b.indexOf(Math.max(...b));
    g.fillStyle = colours[k];
    g.fillRect(p, y + (k ? 5 : 2), 1, ROW - (k ? 8 : 4));
  }
}

// paintTimeline copies the picture and marks the present cycle and what is selected.
function paintTimeline() {
  const canvas = byId("timeline"), k = window.devicePixelRatio || 1;
  if (!line.picture) return;
  if (timer !== null && (now < line.from || now >= line.to)) return moveTimeline(now - line.from);
  const g = canvas.getContext("2d");
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.drawImage(line.picture, 0, 0);
  g.setTransform(k, 0, 0, k, 0, 0);
  g.textBaseline = "middle";
  g.strokeStyle = line.colours.hot;
  g.lineWidth = 1.5;
  const x0 = Math.max(NAMES, cycleX(canvas, now)), x1 = cycleX(canvas, now + 1);
  if (x1 > NAMES && x0 < canvas.clientWidth) g.strokeRect(x0, 1, Math.max(1, x1 - x0), canvas.clientHeight - 2);
  line.rows.slice(line.top, line.top + rowsInView(canvas)).forEach((row, i) => { if (row.loop !== undefined) markInterval(g, canvas, row.loop, ROW * (i + 1)); });
  const hot = chosen ? resolve(chosen).comps : new Set();
  line.rows.forEach((row, i) => {
    if (row.comp === undefined || !hot.has(F.components[row.comp].name) || i < line.top || i >= line.top + rowsInView(canvas)) return;
    g.strokeRect(1, ROW * (i - line.top + 1), NAMES - 4, ROW);
  });
}

// markInterval marks the interval between the iterations around the present cycle.
function markInterval(g, canvas, loop, y) {
  const at = T.iterations[loop], i = upTo(at, now) - 1;
  if (i < 0 || i + 1 >= at.length) return;
  const x0 = cycleX(canvas, at[i]), x1 = cycleX(canvas, at[i + 1]), text = String(at[i + 1] - at[i]);
  if (x0 < NAMES || x1 > canvas.clientWidth) return;
  g.strokeRect(x0, y + 1, x1 - x0, ROW - 2);
  g.fillStyle = line.colours.ink;
  g.font = "10px system-ui,sans-serif";
  if (x1 - x0 > g.measureText(text).width + 6) g.fillText(text, x0 + 4, y + ROW / 2);
}

// moveTimeline shifts the cycles in view.
function moveTimeline(by) {
  const n = line.to - line.from;
  line.from = Math.max(0, Math.min(T.shown - n, line.from + by));
  line.to = line.from + n;
  drawTimeline();
}

// zoomTimeline shows k times as many cycles, around one of them.
function zoomTimeline(k, around = now) {
  const n = Math.max(Math.min(10, T.shown), Math.min(T.shown, (line.to - line.from) * k)), part = (around - line.from) / (line.to - line.from);
  line.from = Math.max(0, Math.min(T.shown - n, around - n * Math.max(0, Math.min(1, part))));
  line.to = line.from + n;
  drawTimeline();
}

// scrollTimeline: the wheel scrolls rows, with shift cycles, with ctrl it zooms.
function scrollTimeline(e) {
  e.preventDefault();
  const canvas = byId("timeline"), r = canvas.getBoundingClientRect();
  if (e.ctrlKey || e.metaKey) return zoomTimeline(Math.exp(e.deltaY / 300), cycleAt(canvas, e.clientX - r.left));
  if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) return moveTimeline((e.deltaX || e.deltaY) / r.width * (line.to - line.from));
  line.top += Math.sign(e.deltaY) * 2;
  drawTimeline();
}

// rowAt is the row under a pointer.
function rowAt(e) {
  const r = byId("timeline").getBoundingClientRect();
  return line.rows[line.top + Math.floor((e.clientY - r.top) / ROW) - 1];
}

// dragTimeline jumps to the cycle under the pointer, and follows it.
function dragTimeline(e) {
  const canvas = byId("timeline"), left = canvas.getBoundingClientRect().left, row = rowAt(e);
  const jump = e => { if (e.clientX - left > NAMES) go(Math.floor(cycleAt(canvas, e.clientX - left))); };
  if (row && row.comp !== undefined) select({comp: F.components[row.comp].name}, true);
  jump(e);
  const up = () => { window.removeEventListener("pointermove", jump); window.removeEventListener("pointerup", up); };
  window.addEventListener("pointermove", jump);
  window.addEventListener("pointerup", up);
}

// pointTimeline says what is under the pointer.
function pointTimeline(e) {
  const canvas = byId("timeline"), row = rowAt(e), cycle = Math.floor(cycleAt(canvas, e.clientX - canvas.getBoundingClientRect().left));
  if (!row) { canvas.title = ""; return; }
  const s = row.comp === undefined || cycle < line.from ? -1 : stateOf(row.comp, cycle);
  canvas.title = row.name + (cycle >= line.from ? `, cycle ${cycle}` + (row.comp === undefined ? "" : ": " + (s < 0 ? "idle" : WORDS[s])) : "");
}
