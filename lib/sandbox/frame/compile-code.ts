/*
 * Gives a run the value of its last expression, as a REPL does, without a parser.
 *
 *   const a = 2          →   const a = 2
 *   a * 21                   return (a * 21
 *                            )
 *
 * The engine itself checks each split. A split of the code into head and tail is used only if the head compiles alone, the
 * tail compiles alone as one expression, and JavaScript certainly ends a statement between them:
 * - after `;`, or
 * - at a line break whose next line begins with a name, a number, a quote or `!`, so that no operator joins the lines
 *   (`a⏎(b)` is a call), and not with a declaration or a block.
 * A head that ends inside a string, template, bracket or block comment does not compile. A head that ends inside a line
 * comment also compiles with a stray `)` after it, and is rejected for that reason. If no split is found, the code runs
 * unchanged, and only an explicit `return` gives a value.
 */

export interface CompiledCode {
  /** The function body to run; its lines are those of the code. */
  readonly body: string
  /** Where `return (` was inserted: columns after it on that line (from 1) are shifted. */
  readonly shift: { readonly line: number; readonly column: number; readonly by: number } | null
}

/** Whether a text is the body of an async function. */
export type Compiles = (body: string) => boolean

const maxSplits = 200
const maxLength = 200_000
const open = 'return ('

const startsDeclaration = /^(?:async\s+function|function|class|let|const|var|import|export)(?![\w$])/
const startsAfterBreak = /^[\p{ID_Start}$_\d'"!]/u
const onlyTrivia = /^(?:\s|;|\/\/[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/

/** `let⏎x` is one declaration, even with comments in between, although `let` alone compiles as a name. */
const endsInLet = /(?:^|[^\w$])let(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/

/** Leading white space and comments of a text. */
const leadingTrivia = (text: string) => /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*/.exec(text)?.[0].length ?? 0

/** Ends of statements, last first: offsets after each `;` and line break, and the start of the text. */
function* splitsOf(code: string): Generator<{ at: number; after: ';' | '\n' | '' }> {
  for (let at = code.length; at > 0; at--) {
    const character = code[at - 1]
    if (character === ';' || character === '\n') yield { at, after: character }
  }
  yield { at: 0, after: '' }
}

function shiftAt(code: string, at: number): NonNullable<CompiledCode['shift']> {
  const before = code.slice(0, at)
  return { line: before.split('\n').length, column: at - (before.lastIndexOf('\n') + 1) + 1, by: open.length }
}

const returned = (code: string, start: number, tail: string): CompiledCode => ({
  body: `${code.slice(0, start)}${open}${tail}\n)`,
  shift: shiftAt(code, start),
})

/** `{ a: 1, b: 2 }` is not a program, but its meaning is clear. Inside `[ ]` no stray bracket can be balanced. */
const isObjectLiteral = (code: string, compiles: Compiles) =>
  /^\s*\{/.test(code) && compiles(`${open}${code}\n)`) && compiles(`return [${code}\n]`)

/**
 * Whether the first bracket closes at the very end: `{⏎}⏎`t`` is a block and a string, not an object that is called.
 */
function isOneLiteral(text: string, compiles: Compiles): boolean {
  let tries = 0
  for (let at = text.indexOf('}'); at >= 0; at = text.indexOf('}', at + 1)) {
    if (++tries > maxSplits) return false
    if (compiles(`${open}${text.slice(0, at + 1)}\n)`)) return at === text.length - 1
  }
  return false
}

/**
 * Rewrites code so that its last expression statement is returned; code that does not compile is returned unchanged.
 */
export function compileCode(code: string, compiles: Compiles): CompiledCode {
  const plain: CompiledCode = { body: code, shift: null }
  if (code.length > maxLength) return plain
  if (!compiles(code)) return isObjectLiteral(code, compiles) ? returned(code, 0, code.trimEnd()) : plain
  let end = code.length
  let tries = 0
  for (const { at, after } of splitsOf(code)) {
    if (++tries > maxSplits) return plain
    const head = code.slice(0, at)
    const rest = code.slice(at, end)
    const isBoundary = () => at === 0 || (compiles(head) && !compiles(`${head})`) && !endsInLet.test(head))
    if (onlyTrivia.test(rest)) {
      if (isBoundary()) end = at
      continue
    }
    const from = leadingTrivia(rest)
    const tail = rest.slice(from).replace(/[;\s]+$/, '')
    if (startsDeclaration.test(tail)) continue
    if (tail.startsWith('{') && (after !== '' || !isOneLiteral(tail, compiles))) continue
    if (after === '\n' && !startsAfterBreak.test(tail)) continue
    if (!compiles(`${open}${tail}\n)`) || !compiles(tail) || !isBoundary()) continue
    return returned(code, at + from, tail)
  }
  return plain
}
