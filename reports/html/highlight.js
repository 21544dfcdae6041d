// Programs with colours: words of Python and Rust, told apart by one regular expression each.

const GRAMMARS = {
  torch: [
    ['comment', /#.*/],
    ['string', /\b[rbfu]{0,2}(?:'''[^]*?'''|"""[^]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")/i],
    ['string', /'''[^]*?'''|"""[^]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/],
    ['number', /\b(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?)/i],
    ['word', new RegExp('\\b(?:and|as|assert|break|class|continue|def|del|elif|else|except|False|finally|for|from|' +
      'if|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield)\\b')],
    ['call', /\b[a-z_]\w*(?=\s*\()/i],
    ['name', /\b[a-z_]\w*/i],
  ],
  candle: [
    ['comment', /\/\/.*|\/\*[^]*?\*\//],
    ['string', /\bb?r(#*)"[^]*?"\1|"(?:\\[^]|[^"\\])*"|'(?:\\.|[^'\\\n])'/],
    ['type', /'[a-z]\w*/],
    ['number', /\b(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?)(?:[iuf](?:8|16|32|64|size))?/i],
    ['word', new RegExp('\\b(?:as|break|const|continue|else|enum|false|fn|for|if|impl|in|let|loop|match|mod|move|mut|' +
      'pub|ref|return|self|Self|static|struct|trait|true|type|use|where|while)\\b')],
    ['call', /\b[a-z_]\w*(?:!|(?=\s*(?:::<[^\n]*?>)?\())/],
    ['type', /\b(?:[A-Z]\w*|[iuf](?:8|16|32|64)|usize|bool|str)\b/],
    ['name', /\b[a-z_]\w*/i],
  ],
};

const scanners = Object.fromEntries(Object.entries(GRAMMARS).map(([language, rules]) =>
  [language, rules.map(([kind, expression]) => [kind, new RegExp(expression.source, expression.flags + 'y')])]));

function tokens(language, text) {
  const found = [];
  let at = 0, from = 0;
  const flush = () => { if (at > from) found.push(['', text.slice(from, at)]); };
  while (at < text.length) {
    let hit = null;
    for (const [kind, scanner] of scanners[language]) {
      scanner.lastIndex = at;
      hit = scanner.exec(text);
      if (hit) {
        flush();
        found.push([kind === 'name' ? '' : kind, hit[0]]);
        from = at += hit[0].length;
        break;
      }
    }
    if (!hit) at++;
  }
  flush();
  return found;
}

// Lines of tokens; a token that goes over several lines is cut.
function codeLines(language, text) {
  const lines = [[]];
  for (const [kind, token] of tokens(language, text.replace(/\n$/, ''))) {
    token.split('\n').forEach((part, index) => {
      if (index) lines.push([]);
      if (part) lines.at(-1).push([kind, part]);
    });
  }
  return lines;
}
