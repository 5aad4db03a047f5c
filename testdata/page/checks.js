// What picture_test.go asks of a page of viz.html: each function lists what is wrong.

// shown are the texts of a pane that are visible, with their boxes on the screen.
function shownTexts(id) {
  return [...document.querySelectorAll(`#${id} text`)].filter(t => t.textContent && !t.classList.contains("far"))
    .map(t => ({t, text: t.textContent, r: t.getBoundingClientRect(), node: t.closest(".node")}));
}
const paneIds = () => ["graph", "fabric"].filter(id => byId(id).getBoundingClientRect().width > 0);
const cross = (a, b, slack) => a.left < b.right - slack && b.left < a.right - slack && a.top < b.bottom - slack && b.top < a.bottom - slack;
const within = (a, b, slack) => a.left >= b.left - slack && a.right <= b.right + slack && a.top >= b.top - slack && a.bottom <= b.bottom + slack;

// Labels smaller than least pixels, or not shown at all; all: none may be hidden.
function smallLabels(least, all) {
  const wrong = [];
  for (const id of paneIds()) {
    for (const x of shownTexts(id)) {
      const k = x.t.getScreenCTM().a, size = parseFloat(getComputedStyle(x.t).fontSize) * k;
      if (size < least) wrong.push(`${id}: '${x.text}' has ${size.toFixed(1)} pixels`);
    }
    if (all) for (const t of document.querySelectorAll(`#${id} text.far`)) if (t.textContent) wrong.push(`${id}: '${t.textContent}' is hidden`);
  }
  return wrong;
}

// Labels that overlap each other, or a box that is not theirs, or leave their own.
// The ascent of a font is more than its letters take: a fifth of the height is slack.
function overlaps() {
  const wrong = [];
  for (const id of paneIds()) {
    const texts = shownTexts(id), rects = [...document.querySelectorAll(`#${id} .node rect`)].map(e => ({node: e.closest(".node"), r: e.getBoundingClientRect()}));
    for (const x of texts) x.r = new DOMRect(x.r.x, x.r.y + x.r.height / 5, x.r.width, x.r.height * 3 / 5);
    texts.forEach((a, i) => {
      for (const b of texts.slice(0, i)) if (cross(a.r, b.r, 0.5)) wrong.push(`${id}: '${a.text}' and '${b.text}' overlap`);
      for (const b of rects) {
        if (b.node !== a.node && cross(a.r, b.r, 0.5)) wrong.push(`${id}: '${a.text}' lies on ${b.node.getAttribute("aria-label")}`);
        if (b.node === a.node && !within(a.r, b.r, 1)) wrong.push(`${id}: '${a.text}' leaves its box`);
      }
    });
    rects.forEach((a, i) => {
      for (const b of rects.slice(0, i)) if (cross(a.r, b.r, 0.5)) wrong.push(`${id}: ${a.node.getAttribute("aria-label")} and ${b.node.getAttribute("aria-label")} overlap`);
    });
  }
  return wrong;
}

// Boxes and labels outside of their pane, and parts of the page outside of the window.
function outside() {
  const wrong = [];
  for (const id of paneIds()) {
    const pane = byId(id).getBoundingClientRect();
    for (const e of document.querySelectorAll(`#${id} .node rect, #${id} text, #${id} path, #${id} line`)) {
      if (e.tagName === "text" && (e.classList.contains("far") || !e.textContent)) continue;
      if (!within(e.getBoundingClientRect(), pane, 2)) wrong.push(`${id}: ${e.tagName} '${e.textContent || e.getAttribute("class")}' lies outside`);
    }
  }
  const page = new DOMRect(0, 0, innerWidth, innerHeight);
  for (const e of document.querySelectorAll("header > *, aside, .pane, #legend, #bar > *, #timeline"))
    if (e.getBoundingClientRect().width && !within(e.getBoundingClientRect(), page, 1)) wrong.push(`#${e.id || e.tagName} lies outside of the window`);
  for (const e of document.querySelectorAll("#legend > span")) if (!within(e.getBoundingClientRect(), byId("legend").getBoundingClientRect(), 1)) wrong.push(`the legend hides '${e.textContent}'`);
  return wrong;
}

// The part of its pane that a drawing fills, the smaller of width and height.
function filled(id) {
  const pane = byId(id).getBoundingClientRect(), r = [...document.querySelectorAll(`#${id} .node rect`)].map(e => e.getBoundingClientRect());
  return Math.min((Math.max(...r.map(x => x.right)) - Math.min(...r.map(x => x.left))) / pane.width, (Math.max(...r.map(x => x.bottom)) - Math.min(...r.map(x => x.top))) / pane.height);
}

// rgb is what a CSS colour looks like.
const paint = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const known = new Map();
function rgb(colour) {
  if (!known.has(colour)) {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    known.set(colour, [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }
  return known.get(colour);
}
function luminance(c) {
  const [r, g, b] = rgb(c).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

// Texts whose contrast is less than least.
function faint(least) {
  const wrong = [], bg = getComputedStyle(document.body).backgroundColor;
  for (const id of paneIds()) for (const x of shownTexts(id)) {
    const box = x.node && x.node.querySelector("rect"), k = contrast(getComputedStyle(x.t).fill, box ? getComputedStyle(box).fill : bg);
    if (k < least) wrong.push(`${id}: '${x.text}' has a contrast of ${k.toFixed(2)}`);
  }
  for (const e of document.querySelectorAll("h1, h2, h3, .line, .line i, #details *, #legend span, #bar label, #now, header button, #bar button"))
    if (e.textContent.trim() && e.getBoundingClientRect().width && contrast(getComputedStyle(e).color, bg) < least) wrong.push(`'${e.textContent.slice(0, 30)}' is faint`);
  return wrong;
}

// spots are the middles of boxes: where a person clicks.
function spots(selector) {
  return [...document.querySelectorAll(selector)].map(e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; });
}

// snapshot is what a cycle looks like: the state and the value of every node, the state
// of every component, the edges that are lit, and how many lines of the fabric are lit
// wrongly if tokens cross the channels moving.
function snapshot(moving) {
  const lines = new Set(moving.flatMap(id => channelLines.get(id) || []));
  const state = g => STATES.filter(s => g.classList.contains(s)).join(" ");
  return {
    cycle: now,
    nodes: graphNodes.map(g => [state(g), g.value ? g.value.text.dataset.full : ""]),
    comps: Object.fromEntries([...compNodes].filter(([, g]) => state(g)).map(([id, g]) => [id, state(g)])),
    edges: [...document.querySelectorAll("#graph .edge.token")].map(e => +e.dataset.edge).sort((a, b) => a - b),
    wrong: [...document.querySelectorAll("#fabric line")].filter(l => l.classList.contains("token") !== lines.has(l)).length,
    lines: lines.size,
  };
}
