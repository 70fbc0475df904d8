// How long functions are, by their source. Lines of JSX don't count: markup is as long as what it shows. A function counts
// with all that stands in it, so that a closure does not get short by being cut into functions of its own.
import { parseSync } from 'oxc-parser'

const isFunction = ({ type }) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
const isMarkup = ({ type }) => type === 'JSXElement' || type === 'JSXFragment'

/** Gives the line, from 0, of each offset of a text. */
function lineReader(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    for (let high = starts.length; high - low > 1;) {
      const middle = (low + high) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle
    }
    return low
  }
}

function childrenOf(node) {
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'parent' ? [] : (Array.isArray(value) ? value : [value]).filter((one) => typeof one?.type === 'string'),
  )
}

/** What a function is known by: its own name, or that of what it is given to. */
function nameIn(node, owner) {
  if (node.id) return node.id.name
  const named = owner?.type === 'VariableDeclarator' ? owner.id : owner?.key
  return named?.name ?? 'a function'
}

/** All functions of a file as `[{ name, line, lines }]`; `line` from 1, `lines` without markup. */
export function functionLengths(file, text) {
  const lineOf = lineReader(text)
  const found = []
  const linesOfMarkup = (node, lines) => {
    if (isMarkup(node)) {
      for (let line = lineOf(node.start); line <= lineOf(node.end - 1); line += 1) lines.add(line)
    } else for (const child of childrenOf(node)) linesOfMarkup(child, lines)
    return lines
  }
  const visit = (node, owner) => {
    if (isFunction(node) && node.body) {
      const first = lineOf(node.start)
      const lines = lineOf(node.end - 1) - first + 1 - linesOfMarkup(node, new Set()).size
      found.push({ name: nameIn(node, owner), line: first + 1, lines })
    }
    for (const child of childrenOf(node)) visit(child, node)
  }
  visit(parseSync(file, text).program, null)
  return found
}

/**
 * What of the functions is too long, and what is excused without need. `functions` are `{ file, name, line, lines }`;
 * `excused` names those that are still to be split, as "file#name".
 */
export function tooLong(functions, most, excused) {
  const long = functions.filter(({ lines }) => lines > most)
  const names = new Set(long.map(({ file, name }) => `${file}#${name}`))
  return {
    long,
    problems: [
      ...long
        .filter(({ file, name }) => !excused.has(`${file}#${name}`))
        .map(
          ({ file, name, line, lines }) =>
            `${file}:${line} ${name} has ${lines} lines outside of markup, more than ${most}: which ideas does it hold?`,
        ),
      ...[...excused]
        .filter((one) => !names.has(one))
        .map((one) => `${one} is short enough, or gone: take it off the list of what is to be split.`),
    ],
  }
}
