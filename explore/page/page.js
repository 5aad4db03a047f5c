"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const make = (tag, attrs = {}, ...kids) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, v);
    e.append(...kids.filter(k => k !== null && k !== undefined).map(k => k instanceof Node ? k : String(k)));
    return e;
  };
  const svg = (tag, attrs = {}, text) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const short = v => v === 0 || v === undefined ? "" : v >= 1e6 ? (v / 1e6).toPrecision(3) + " M" : v >= 1e4 ? (v / 1e3).toPrecision(3) + " k" : String(+v.toPrecision(3));
  const whole = v => v === undefined ? "" : Math.round(v).toString().replace(/\B(?=(\d{3})+$)/g, " ");
  const table = (head, rows) => make("table", {}, make("thead", {}, make("tr", {}, ...head.map(h => make("th", h[1] ? {class: "n"} : {}, h[0])))),
    make("tbody", {}, ...rows.map(r => make("tr", {}, ...r.map((c, i) => make("td", head[i][1] ? {class: "n"} : {}, c))))));
  const runs = p => p.verdict === "measured" || p.verdict === "finalist";
  const feasible = data.points.filter(runs);
  const built = (data.reference || []).filter(runs);
  const best = data.best >= 0 ? data.points[data.best] : null;
  const names = {lut_ns: "LUT × ns", ns: "ns", luts: "LUTs", ffs: "flip-flops"};
  const value = p => ({lut_ns: p.lut_ns, ns: p.ns, luts: p.area && p.area.luts, ffs: p.area && p.area.ffs})[data.objective];
  const title = p => p.shipped ? p.shipped : "point " + p.number;

  // Summary.
  let text = data.points.length + " points, " + feasible.length + " of them run every kernel";
  if (!best) text += "; none was found that does. The table of kernels says what they lacked.";
  else if (built.length > 0 && data.objective === "lut_ns") text += "; the winner, point " + best.number + ", takes " + (best.lut_ns / built[0].lut_ns).toFixed(2) + " of the LUT × ns of " + built[0].shipped + ", the best fabric that is built in";
  else text += "; the winner is point " + best.number;
  $("summary").textContent = text + (data.complete ? "." : ". The search has not ended.");

  // Chart: both axes logarithmic, as ratios count.
  const shown = feasible.concat(built);
  let chosen = null;
  function draw() {
    const c = $("chart"), W = c.clientWidth || 600, H = c.clientHeight || 380, L = 58, R = 16, T = 14, B = 40;
    c.replaceChildren();
    c.setAttribute("viewBox", `0 0 ${W} ${H}`);
    if (shown.length === 0) { c.append(svg("text", {x: W / 2, y: H / 2, "text-anchor": "middle"}, "no fabric runs every kernel yet")); return; }
    const range = f => { const v = shown.map(f), lo = Math.log(Math.min(...v)), hi = Math.log(Math.max(...v)), pad = Math.max((hi - lo) * 0.06, 0.02); return [lo - pad, hi + pad]; };
    const xs = range(p => p.area.luts), ys = range(p => p.ns);
    const x = v => L + (Math.log(v) - xs[0]) / (xs[1] - xs[0]) * (W - L - R), y = v => H - B - (Math.log(v) - ys[0]) / (ys[1] - ys[0]) * (H - T - B);
    const ticks = r => { const lo = Math.exp(r[0]), hi = Math.exp(r[1]), out = []; let d = Math.pow(10, Math.floor(Math.log10((hi - lo) / 3))); for (const m of [1, 2, 5, 10]) { if ((hi - lo) / (d * m) <= 8) { d *= m; break; } } for (let v = Math.ceil(lo / d) * d; v <= hi; v += d) out.push(v); return out; };
    for (const v of ticks(xs)) c.append(svg("line", {class: "grid", x1: x(v), x2: x(v), y1: T, y2: H - B}), svg("text", {x: x(v), y: H - B + 15, "text-anchor": "middle"}, short(v)));
    for (const v of ticks(ys)) c.append(svg("line", {class: "grid", x1: L, x2: W - R, y1: y(v), y2: y(v)}), svg("text", {x: L - 6, y: y(v) + 4, "text-anchor": "end"}, short(v)));
    c.append(svg("text", {x: (L + W - R) / 2, y: H - 6, "text-anchor": "middle"}, "look-up tables"), svg("text", {transform: `translate(13 ${(T + H - B) / 2}) rotate(-90)`, "text-anchor": "middle"}, "mean ns of a run"));
    const front = feasible.filter(p => p.front).sort((a, b) => a.area.luts - b.area.luts);
    let path = "";
    front.forEach((p, i) => { path += i === 0 ? `M${x(p.area.luts)} ${y(p.ns)}` : `H${x(p.area.luts)}V${y(p.ns)}`; });
    if (path) c.append(svg("path", {class: "frontline", d: path}));
    for (const p of built) {
      const at = svg("rect", {class: "built", x: x(p.area.luts) - 5, y: y(p.ns) - 5, width: 10, height: 10});
      at.append(svg("title", {}, p.shipped));
      const right = x(p.area.luts) > W - 110;
      c.append(at, svg("text", {x: x(p.area.luts) + (right ? -9 : 9), y: y(p.ns) + 4, "text-anchor": right ? "end" : "start"}, p.shipped));
    }
    for (const p of feasible.slice().sort((a, b) => (a.front - b.front) || (a === best) - (b === best))) {
      const dot = svg("circle", {class: "pt" + (p.front ? " front" : "") + (p === best ? " best" : "") + (p === chosen ? " chosen" : ""), cx: x(p.area.luts), cy: y(p.ns), r: p === best ? 7 : p.front ? 5 : 3.5, tabindex: p.front ? 0 : -1, "data-point": p.number, role: "button", "aria-label": title(p)});
      const hover = () => tip(p, x(p.area.luts), y(p.ns));
      dot.addEventListener("mouseenter", hover);
      dot.addEventListener("focus", hover);
      for (const e of ["mouseleave", "blur"]) dot.addEventListener(e, () => { $("tip").hidden = true; });
      dot.addEventListener("click", () => choose(p));
      dot.addEventListener("keydown", e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); choose(p); } });
      c.append(dot);
    }
  }
  function tip(p, x, y) {
    const t = $("tip");
    t.replaceChildren(make("b", {}, `${title(p)}: ${whole(p.area.luts)} LUTs, ${short(p.ns)} ns, ${Math.round(p.area.mhz)} MHz`),
      make("table", {}, ...data.parameters.map(q => make("tr", {}, make("td", {}, q.name), make("td", {}, p.parameters[q.name])))));
    t.hidden = false;
    const c = $("chart");
    t.style.left = Math.max(0, Math.min(x + 14, c.clientWidth - t.offsetWidth - 4)) + "px";
    t.style.top = c.offsetTop + Math.max(0, Math.min(y + 10, c.clientHeight - t.offsetHeight)) + "px";
  }
  function choose(p) {
    chosen = p;
    draw();
    const a = p.area;
    $("pointtitle").textContent = "Point " + p.number + (p === best ? ", the winner" : "");
    const yaml = data.texts[p.architecture];
    const rows = (p.kernels || []).map(k => [p.views && p.views[k.kernel] ? make("a", {href: p.views[k.kernel]}, k.kernel) : k.kernel, k.pes, k.cycles, short(k.cycles * 1000 / a.mhz), k.interval || "", k.limit || k.reason || ""]);
    $("point").replaceChildren(
      make("p", {}, `${a.pes} PEs, ${whole(a.luts)} LUTs, ${whole(a.ffs)} flip-flops, ${a.dsps} DSP blocks, ${a.brams} block RAMs, ${Math.round(a.mhz)} MHz; ${short(p.ns)} ns, ${short(p.lut_ns)} LUT × ns.`),
      make("details", {}, make("summary", {}, "parameters"), make("table", {class: "facts"}, ...data.parameters.map(q => make("tr", {}, make("td", {}, q.name), make("td", {}, p.parameters[q.name]))))),
      make("details", {id: "yaml", open: ""}, make("summary", {}, "architecture file"), make("pre", {}, yaml || `loom explore yaml DIR ${p.number} prints it`)),
      make("p", {class: "note"}, p.views ? "A kernel's name leads to its map." : "Maps are kept of finalists."),
      make("div", {class: "scroll"}, table([["kernel"], ["PEs", 1], ["cycles", 1], ["ns", 1], ["interval", 1], ["limited by"]], rows)));
  }

  // Effects.
  for (const e of data.effects || []) {
    const all = e.values.filter(v => v.feasible > 0), least = Math.min(...all.map(v => v.best)), most = Math.max(...all.map(v => v.median), least);
    const part = make("div", {class: "effect"}, make("h3", {}, e.parameter + (all.length > 1 ? `: up to ${e.span.toFixed(2)} ×` : "")));
    for (const v of e.values) {
      const bar = make("span", {class: "bar"});
      if (v.feasible > 0) bar.append(make("i", {style: `width:${100 * v.best / most}%`}), make("b", {style: `left:calc(${100 * v.median / most}% - 1px)`}));
      part.append(make("div", {class: "row", title: v.value}, make("span", {}, v.value), bar, make("em", {}, v.feasible > 0 ? `${(v.best / least).toFixed(2)} (${v.feasible} of ${v.points})` : `none of ${v.points}`)));
    }
    $("effects").append(part);
  }

  // Kernels.
  $("kernels").append(make("div", {class: "scroll"}, table([["kernel"], ["cycles", 1], ["fewest", 1], ["PEs", 1], ["limited by"], ["kept from fitting", 1], ["most often because"]], data.kernels.map(k => {
    const w = best && (best.kernels || []).find(x => x.kernel === k.name) || {};
    return [k.name, w.cycles || "", k.fewest || "", w.pes || "", w.limit || "", k.failed || "", k.why || ""];
  }))));

  // Reference and work.
  $("reference").append(table([["fabric"], ["LUTs", 1], ["MHz", 1], ["ns", 1], [names[data.objective], 1], ["winner's part of it", 1], ["verdict"]], (data.reference || []).map(p => [p.shipped, whole(p.area && p.area.luts), p.area ? Math.round(p.area.mhz) : "", runs(p) ? short(p.ns) : "",
    runs(p) ? short(value(p)) : "", runs(p) && best ? (value(best) / value(p)).toFixed(2) : "", runs(p) ? "runs every kernel" : p.reason || ""])));
  $("rungs").append(table([["rung"], ["points that reached it", 1], ["evaluations", 1], ["seconds of a core", 1], ["per evaluation", 1]], data.rungs.map(r => [r.name, r.points, r.evaluations, r.seconds.toFixed(1), r.evaluations ? (1000 * r.seconds / r.evaluations).toFixed(0) + " ms" : ""])));

  addEventListener("resize", draw);
  draw();
  if (best) choose(best);
  else $("pointpart").hidden = true;
})();
