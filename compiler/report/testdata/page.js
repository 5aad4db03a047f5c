// Runs the script of a page against a document that remembers what it is told.
// Every listener is called once, so that highlighting and playback run too.
"use strict";
const fs = require("fs"), vm = require("vm");
const page = fs.readFileSync(process.argv[2], "utf8");
const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
const data = scripts.find(s => s[1].includes("application/json"))[2];
const listeners = [];
let made = 0;
class El {
  constructor() {
    this.attrs = {}; this.children = []; this.hidden = false; this.value = 0; this.textContent = "";
    const set = new Set();
    this.classList = { add: k => set.add(k), remove: k => set.delete(k), toggle: (k, on) => on ? set.add(k) : set.delete(k) };
    made++;
  }
  setAttribute(k, v) {
    if (String(v).includes("NaN") || v === undefined) throw new Error(`attribute ${k} is ${v}`);
    this.attrs[k] = v;
  }
  appendChild(c) { this.children.push(c); }
  addEventListener(kind, f) { listeners.push([kind, f, this]); }
  getBoundingClientRect() { return { left: 0, top: 0, width: 100, height: 100 }; }
}
const byId = {};
const ids = new Set([...page.matchAll(/id="([a-z]+)"/g)].map(m => m[1]));
const document = {
  getElementById(id) {
    if (!ids.has(id)) throw new Error("no element " + id);
    if (!byId[id]) { byId[id] = new El(); if (id === "data") byId[id].textContent = data; }
    return byId[id];
  },
  createElementNS: () => new El(),
};
const window = { addEventListener: (k, f) => listeners.push([k, f, window]) };
const context = vm.createContext({ document, window, setInterval: () => 1, clearInterval() {}, console });
vm.runInContext(scripts.find(s => !s[1])[2], context);
for (const [, f, target] of [...listeners])
  f({ preventDefault() {}, clientX: 10, clientY: 10, deltaY: 5, target });
// Everything on the way of an edge is highlighted with it: its channels, and the
// lanes, temporal switches and memories it passes.
vm.runInContext(`D.edge_channels.forEach((chs, i) => {
  for (const c of chs) if (!parts[i].includes(channelParts.get(c))) throw new Error("edge " + i + " leaves out channel " + c);
  let boxes = 0;
  for (const s of D.edge_steps[i]) {
    const c = F.components.find(c => c.name === s.component);
    if (c && c.kind !== "fifo") boxes++;
    if (c && /lane|temporal|memory/.test(c.kind) && !parts[i].includes(compBox.get(c.id))) throw new Error("edge " + i + " leaves out " + c.name);
  }
  const ways = parts[i].filter(p => p.attrs.class === "inner").length;
  if (ways !== boxes) throw new Error("edge " + i + " has " + ways + " ways through " + boxes + " components");
})`, context);
if (made < 100) throw new Error("the page draws only " + made + " elements");
