// Drawing in SVG, and panes that pan and zoom. A pane is drawn anew for its size, so
// that at scale 1 a unit is a pixel and a font size is that on the screen.

const NS = "http://www.w3.org/2000/svg";

// el appends an element.
function el(parent, tag, attrs, text) {
  const e = document.createElementNS(NS, tag);
  for (const k in attrs) e.setAttribute(k, attrs[k]);
  if (text !== undefined) e.textContent = text;
  parent.appendChild(e);
  return e;
}
const tip = (e, text) => el(e, "title", {}, text);

// textWidth is the width of a text at font size 1.
const measure = document.createElement("canvas").getContext("2d");
const widths = new Map();
function textWidth(text) {
  if (!widths.has(text)) {
    measure.font = "100px system-ui,sans-serif";
    widths.set(text, measure.measureText(text).width / 100);
  }
  return widths.get(text);
}

// cut shortens a text to a width at a font size.
function cut(text, width, size) {
  if (textWidth(text) * size <= width) return text;
  let n = text.length - 1;
  while (n > 0 && textWidth(text.slice(0, n) + "…") * size > width) n--;
  return n > 0 ? text.slice(0, n) + "…" : "";
}

// The smallest font that is shown, in pixels on the screen.
const LEGIBLE = 8;

// Pane is an SVG that shows what draw makes of its size.
class Pane {
  constructor(svg, draw) {
    this.svg = svg;
    this.draw = draw;
    this.labels = []; // [text, font size]
    this.moved = false;
    this.fit();
    svg.addEventListener("wheel", e => this.wheel(e), {passive: false});
    svg.addEventListener("pointerdown", e => this.drag(e));
    // A drag is no click.
    svg.addEventListener("click", e => { if (this.moved) e.stopPropagation(); }, true);
  }

  // fit draws for the present size and shows all of it.
  fit() {
    const r = this.svg.getBoundingClientRect();
    if (r.width < 10 || r.height < 10) return; // hidden
    this.svg.replaceChildren();
    this.labels = [];
    this.root = el(this.svg, "g", {});
    this.draw(this, r.width, r.height);
    this.x = this.y = 0;
    this.scale = 1;
    this.place();
  }

  // label adds a text whose font may be too small to show.
  label(parent, size, attrs, text) {
    const t = el(parent, "text", {"font-size": size.toFixed(2), ...attrs}, text);
    this.labels.push([t, size]);
    return t;
  }

  place() {
    this.root.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
    for (const [t, size] of this.labels) t.classList.toggle("far", size * this.scale < LEGIBLE);
  }

  // zoom scales around a point of the pane.
  zoom(k, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    k = Math.max(0.2, Math.min(20, this.scale * k)) / this.scale;
    this.x = x - (x - this.x) * k;
    this.y = y - (y - this.y) * k;
    this.scale *= k;
    this.place();
  }

  wheel(e) {
    e.preventDefault();
    const r = this.svg.getBoundingClientRect();
    this.zoom(Math.exp(-e.deltaY / 600), e.clientX - r.left, e.clientY - r.top);
  }

  drag(e) {
    const from = [e.clientX, e.clientY, this.x, this.y];
    this.moved = false;
    const move = e => {
      const dx = e.clientX - from[0], dy = e.clientY - from[1];
      if (Math.hypot(dx, dy) > 4) this.moved = true;
      if (this.moved) { this.x = from[2] + dx; this.y = from[3] + dy; this.place(); }
    };
    const up = () => { window.removeEventListener("pointermove", move); window.removeEventListener("pointerup", up); };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
  }

  // show moves an element into the view if it lies outside.
  show(e) {
    if (!e || this.scale === 1) return;
    const r = this.svg.getBoundingClientRect(), b = e.getBoundingClientRect();
    if (b.left >= r.left && b.right <= r.right && b.top >= r.top && b.bottom <= r.bottom) return;
    this.x += (r.left + r.right - b.left - b.right) / 2;
    this.y += (r.top + r.bottom - b.top - b.bottom) / 2;
    this.place();
  }
}

// parts are the elements that belong to an edge, in both panes; channelLines those of
// a channel, graphNodes and compNodes the boxes.
const parts = {graph: new Map(), fabric: new Map()};
const channelLines = new Map(), graphNodes = [], compNodes = new Map();
const belongs = (pane, edge, e) => addTo(parts[pane], edge, e);

// react makes an element respond to pointer and keys.
function react(e, what) {
  e.addEventListener("pointerenter", () => hover(what));
  e.addEventListener("pointerleave", () => hover(null));
  e.addEventListener("click", () => select(what));
  e.addEventListener("focus", () => hover(what));
}
