// Which observed names share memory: a box is one piece of memory, a line in it one tensor, the bar the
// part of the memory that the tensor covers.

function tensorsIn(value, found) {
  if (!value || typeof value !== 'object') return found;
  if (value.tensor) found.push(value.tensor);
  for (const inner of [value.ok, value.some, ...(Array.isArray(value.list) ? value.list : [])]) tensorsIn(inner, found);
  return found;
}

// First and last element of the memory that a tensor reaches.
function reach(tensor) {
  let last = tensor.offset, count = 1;
  tensor.shape.forEach((size, axis) => {
    last += (size - 1) * tensor.strides[axis];
    count *= size;
  });
  return {first: tensor.offset, end: count ? last + 1 : tensor.offset, count};
}

// [{storage, tensors: [{names, handle, first, end, count}]}], one a piece of memory.
function memoryOf(run) {
  const pieces = new Map();
  for (const {expression, outcome} of run.observed) {
    const tensors = tensorsIn(outcome.value, []);
    tensors.forEach((tensor, index) => {
      if (!tensor.storage) return;
      const name = tensors.length > 1 ? `${expression}, ${index + 1}` : expression;
      const piece = pieces.get(tensor.storage) ?? {storage: tensor.storage, tensors: new Map()};
      const key = tensor.handle ?? name;
      const one = piece.tensors.get(key) ?? {names: new Set(), tensor, ...reach(tensor)};
      one.names.add(name);
      piece.tensors.set(key, one);
      pieces.set(tensor.storage, piece);
    });
  }
  return [...pieces.values()].map(piece => ({storage: piece.storage, tensors: [...piece.tensors.values()]}));
}

function barView(one, size) {
  const part = x => `${100 * x / Math.max(size, 1)}%`;
  const gaps = one.end - one.first > one.count;
  const bar = h('i', {class: gaps ? 'gaps' : null});
  bar.style.left = part(one.first);
  bar.style.width = part(one.end - one.first);
  const text = one.count === 0 ? 'no element' : one.first === 0 && one.end === size && !gaps ? 'all of it'
    : `elements ${one.first} to ${one.end - 1}${gaps ? `, ${one.count} of them` : ''}`;
  return [h('span', {class: 'reach', 'aria-hidden': 'true'}, bar), h('small', null, text)];
}

const isShared = piece => piece.tensors.length > 1 || piece.tensors[0].names.size > 1;

const namesView = names => [...names].map((name, index) =>
  [index ? h('span', {class: 'same'}, ' = ') : null, h('code', null, name)]);

function pieceView(piece, index) {
  const size = Math.max(...piece.tensors.map(one => one.end));
  return h('li', {class: isShared(piece) ? `piece shared hue-${index % 6}` : 'piece'},
    h('ul', null, piece.tensors.map(one => h('li', {class: 'tensor'},
      h('span', {class: 'names'}, namesView(one.names)),
      barView(one, size)))));
}

// Columns that saw the same partition are drawn once.
function memoryView(one) {
  const drawings = new Map();
  const order = Object.keys(LANGUAGES);
  const languageOf = run => order.indexOf(columns.get(run.column).language);
  for (const run of [...one.runs].sort((a, b) => languageOf(a) - languageOf(b))) {
    const column = columns.get(run.column);
    if (!isShown(column)) continue;
    const pieces = memoryOf(run);
    if (!pieces.length) continue;
    const key = column.language + JSON.stringify(
      pieces.map(piece => piece.tensors.map(one => [[...one.names], one.first, one.end])));
    const drawing = drawings.get(key) ?? {pieces, columns: []};
    drawing.columns.push(column.id + (column.recorded ? ' (recorded)' : ''));
    drawings.set(key, drawing);
  }
  if (!drawings.size) return null;
  return h('section', {class: 'memory'}, h('h3', null, 'Memory'),
    h('p', {class: 'hint'}, 'Names in one box are in the same memory; = is the same tensor.'),
    h('div', {class: 'drawings'}, [...drawings.values()].map(({pieces, columns: ids}) => {
      let hue = 0;
      return h('figure', null, h('figcaption', null, ids.join(', ')), h('ul', {class: 'pieces'},
        pieces.map(piece => pieceView(piece, isShared(piece) ? hue++ : 0))));
    })));
}
