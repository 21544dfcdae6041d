// Reads the charts of the JSON list in the file CHARTS as Mermaid reads them. Prints, for each, its
// labels and edges, or what Mermaid says is wrong.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const {pathToFileURL} = require('node:url');
const {JSDOM} = require('jsdom');

const {window} = new JSDOM('<!doctype html>');
Object.assign(globalThis, {window, document: window.document, Element: window.Element});

// Inside, Mermaid writes #35; as ﬂ°°35¶ß and #quot; as ﬂ°quot¶ß, until it draws.
const decoded = (text) => text.replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)));

async function main() {
  const file = path.join(process.env.NODE_PATH, 'mermaid/dist/mermaid.core.mjs');
  const mermaid = (await import(pathToFileURL(file))).default;
  const read = async (text) => {
    try {
      await mermaid.parse(text);
      const {db} = await mermaid.mermaidAPI.getDiagramFromText(text);
      return {
        labels: Object.fromEntries([...db.getVertices()].map(([id, node]) => [id, decoded(node.text)])),
        edges: db.getEdges().map((edge) => [edge.start, edge.end, decoded(edge.text || '')]),
        boxes: db.getSubGraphs().map((box) => box.title),
      };
    } catch (error) {
      return {error: String(error.message)};
    }
  };
  const results = [];
  for (const text of JSON.parse(fs.readFileSync(process.env.CHARTS, 'utf8'))) results.push(await read(text));
  console.log(JSON.stringify(results));
}

main();
