import { transform } from 'sucrase'
import { parse } from 'sucrase/dist/esm/parser'
import { TokenType as tt } from 'sucrase/dist/esm/parser/tokenizer/types'

const {
  _import: importWord,
  _export: exportWord,
  _default: defaultWord,
  _function: functionWord,
  _const: constWord,
  _let: letWord,
  _var: varWord,
} = tt

interface ImportedName {
  readonly specifier: string
  /** Names that the module must export, possibly including 'default'. */
  readonly names: readonly string[]
  readonly line: number
}

type Token = ReturnType<typeof parse>['tokens'][number]

interface CodeEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

const topLevelDeclaration = 2

/** The value of a string token: specifiers have no relevant escapes except quotes, which JSON has too. */
const textOf = (code: string, token: Token | undefined) =>
  token === undefined ? '' : code.slice(token.start + 1, token.end - 1)

function createLineCounter(code: string): (offset: number) => number {
  let at = 0
  let line = 1
  return (offset) => {
    for (; at < offset; at++) if (code.charCodeAt(at) === 10) line++
    return line
  }
}

/** Names in `{ a, b as c }`, from the token after the brace: those of the imported module. */
function namesInBraces(code: string, tokens: readonly Token[], from: number): readonly string[] {
  const names: string[] = []
  for (let at = from; at < tokens.length && tokens[at]?.type !== tt.braceR; at++) {
    const token = tokens[at]
    const before = tokens[at - 1]?.type
    if (token === undefined || token.isType || (before !== tt.braceL && before !== tt.comma)) continue
    if (token.type === tt.comma) continue
    names.push(code.slice(token.start, token.end).replace(/^['"]|['"]$/g, ''))
  }
  return names
}

const declares: ReadonlySet<number> = new Set([constWord, letWord, varWord])
const opens: ReadonlySet<number> = new Set([tt.parenL, tt.braceL, tt.bracketL, tt.dollarBraceL])
const closes: ReadonlySet<number> = new Set([tt.parenR, tt.braceR, tt.bracketR])

/** Commas between the names of `export const a = 1, b = 2`. */
function declaratorCommas(tokens: readonly Token[], from: number): readonly Token[] {
  const commas: Token[] = []
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (opens.has(token.type)) depth++
    else if (closes.has(token.type)) depth--
    if (depth > 0) continue
    if (token.type === tt.semi || token.type === exportWord || declares.has(token.type)) break
    if (token.type === tt.comma && tokens[at + 1]?.identifierRole === topLevelDeclaration) commas.push(token)
  }
  return commas
}

/** Collects what a transformation needs to know about the code's imports and exports, and what it must rewrite. */
function scanCode(code: string, tokens: readonly Token[]) {
  const edits: CodeEdit[] = []
  const imports: ImportedName[] = []
  const requires: { specifier: string; line: number }[] = []
  const functions = new Set<string>()
  const exported: { readonly name: string; readonly local: string }[] = []
  const word = (token: Token | undefined) => (token === undefined ? '' : code.slice(token.start, token.end))
  const lineOf = createLineCounter(code)
  let isModule = false

  for (const [at, token] of tokens.entries()) {
    const [next, after] = [tokens[at + 1], tokens[at + 2]]
    const afterDot = tokens[at - 1]?.type === tt.dot || tokens[at - 1]?.type === tt.questionDot
    if (token.type === functionWord && next !== undefined) {
      const name = next.type === tt.star ? after : next
      if (name?.identifierRole === topLevelDeclaration) functions.add(word(name))
    }
    if (token.type === tt.name && word(token) === 'require' && !afterDot) {
      // `const require = createRequire(import.meta.url)`: our `require` is equivalent, and the name is already used.
      const isDeclared = declares.has(tokens[at - 1]?.type ?? -1) && next?.type === tt.eq
      if (isDeclared) edits.push({ start: token.start, end: token.end, text: '$require' })
      if (next?.type === tt.parenL && after?.type === tt.string && tokens[at + 3]?.type === tt.parenR)
        requires.push({ specifier: textOf(code, after), line: lineOf(token.start) })
    }
    // The parser treats the `import` of `import.meta` as a name.
    if (
      token.type === tt.name &&
      !afterDot &&
      word(token) === 'import' &&
      next?.type === tt.dot &&
      word(after) === 'meta'
    ) {
      isModule = true
      edits.push({ start: token.start, end: after?.end ?? token.end, text: '$meta' })
    }
    if (token.type === importWord && !afterDot) {
      if (next?.type === tt.parenL) edits.push({ start: token.start, end: token.end, text: '$import' })
      else {
        isModule = true
        const end = tokens.findIndex((each, index) => index > at && each.type === tt.string)
        const names: string[] = []
        for (let index = at + 1; index < end; index++) {
          if (tokens[index]?.type === tt.braceL) names.push(...namesInBraces(code, tokens, index + 1))
        }
        if (next?.type === tt.name && !['type', 'typeof'].includes(word(next))) names.push('default')
        if (end > 0) imports.push({ specifier: textOf(code, tokens[end]), names, line: lineOf(token.start) })
      }
    }
    if (token.type === exportWord && !afterDot && token.scopeDepth === 0) {
      isModule = true
      if (next?.type === defaultWord) {
        const isFunction =
          after?.type === functionWord || (word(after) === 'async' && tokens[at + 3]?.type === functionWord)
        const start = word(after) === 'async' ? at + 4 : at + 3
        const name = tokens[start]?.type === tt.star ? tokens[start + 1] : tokens[start]
        if (isFunction && name?.type === tt.name) exported.push({ name: 'default', local: word(name) })
      } else if (next?.type === tt.braceL) {
        const close = tokens.findIndex((each, index) => index > at && each.type === tt.braceR)
        const from = tokens[close + 1]
        if (word(from) === 'from' && tokens[close + 2]?.type === tt.string) {
          const names = namesInBraces(code, tokens, at + 2)
          imports.push({ specifier: textOf(code, tokens[close + 2]), names, line: lineOf(token.start) })
        } else {
          for (let index = at + 2; index < close; index++) {
            const [local, as, name] = [tokens[index], tokens[index + 1], tokens[index + 2]]
            const before = tokens[index - 1]?.type
            if (before !== tt.braceL && before !== tt.comma) continue
            exported.push({ local: word(local), name: word(as) === 'as' ? word(name) : word(local) })
          }
        }
      } else if (next !== undefined && declares.has(next.type)) {
        // Sucrase exports only the first of several.
        for (const comma of declaratorCommas(tokens, at + 2))
          edits.push({ start: comma.start, end: comma.end, text: `;export ${word(next)} ` })
      } else if (next?.type === tt.star) {
        const end = tokens.findIndex((each, index) => index > at && each.type === tt.string)
        if (end > 0) imports.push({ specifier: textOf(code, tokens[end]), names: [], line: lineOf(token.start) })
      } else {
        const isAsync = word(next) === 'async'
        const start = at + (isAsync ? 3 : 2)
        const name = tokens[start]?.type === tt.star ? tokens[start + 1] : tokens[start]
        if (tokens[at + (isAsync ? 2 : 1)]?.type === functionWord)
          exported.push({ name: word(name), local: word(name) })
      }
    }
  }
  const hoisted = exported.filter(({ local }) => functions.has(local))
  return { edits, imports, requires, isModule, hoisted }
}

/*
 * Transforms an ES module or TypeScript into the body of a function, line by line, so that errors keep their line
 * numbers:
 *
 *   import { a } from './a.js'           var _a = require('./a.js');
 *   export const b = a(1)                 const b = _a.a.call(void 0, 1); exports.b = b
 *   await import(import.meta.url)        await $import($meta.url)
 *
 * Sucrase does the first two, with live bindings. Exported functions are moved to the front, because modules that
 * import each other may call them early. Columns are not kept.
 */

export interface TransformedCode {
  readonly body: string
  /** The code has `import` or `export`; otherwise it is a script that may use `require`. */
  readonly isModule: boolean
  readonly isTypeScript: boolean
  readonly imports: readonly ImportedName[]
  /** Calls of `require('…')` with a literal, anywhere in the code. */
  readonly requires: readonly { readonly specifier: string; readonly line: number }[]
}

export interface BrokenCode {
  readonly message: string
  readonly line: number
  readonly column: number
}

export type TransformResult =
  | { readonly ok: true; readonly code: TransformedCode }
  | { readonly ok: false; readonly error: BrokenCode }

export type SourceType = 'javascript' | 'typescript' | 'tsx'

function applyEdits(code: string, edits: readonly CodeEdit[]): string {
  let text = ''
  let at = 0
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + replacement
    at = end
  }
  return text + code.slice(at)
}

/** Specifiers that are still required after the transformation: type-only imports are removed. */
function specifiersIn(body: string): ReadonlySet<string> {
  const { tokens } = parse(body, false, false, false)
  return new Set(scanCode(body, tokens).requires.map(({ specifier }) => specifier))
}

function transformAs(code: string, type: SourceType): TransformedCode {
  const isTypeScript = type !== 'javascript'
  const { tokens } = parse(code, type === 'tsx', isTypeScript, false)
  const { edits, imports, requires, isModule, hoisted } = scanCode(code, tokens)
  const { code: text } = transform(applyEdits(code, edits), {
    transforms: [
      ...(isModule ? (['imports'] as const) : []),
      ...(isTypeScript ? (['typescript'] as const) : []),
      ...(type === 'tsx' ? (['jsx'] as const) : []),
    ],
    preserveDynamicImport: true,
    disableESTransforms: true,
    keepUnusedImports: !isTypeScript,
    production: true,
  })
  const front = hoisted.map(({ name, local }) => `exports[${JSON.stringify(name)}]=${local};`).join('')
  const kept = isModule && isTypeScript ? specifiersIn(text) : null
  return {
    body: front + text,
    isModule,
    isTypeScript,
    imports: kept === null ? imports : imports.filter(({ specifier }) => kept.has(specifier)),
    requires,
  }
}

function brokenBy(thrown: unknown): BrokenCode {
  const { message, loc } = thrown as { message?: unknown; loc?: { line?: unknown; column?: unknown } }
  const text = typeof message === 'string' ? message.replace(/ \(\d+:\d+\)$/, '') : 'It can’t be read.'
  const line = typeof loc?.line === 'number' ? loc.line : 1
  return { message: text, line, column: typeof loc?.column === 'number' ? loc.column : 1 }
}

/**
 * Never throws. Uses the first of `types` in which the code can be parsed; otherwise returns the error for the first
 * one.
 */
export function transformCode(
  code: string,
  types: readonly SourceType[],
  compiles: (body: string) => boolean,
): TransformResult {
  let error: BrokenCode | null = null
  let loose: TransformedCode | null = null
  for (const type of types) {
    try {
      const transformed = transformAs(code, type)
      // Sucrase accepts more than the engine does: the engine decides, and has the better message.
      if (compiles(transformed.body)) return { ok: true, code: transformed }
      loose ??= transformed
    } catch (thrown) {
      error ??= brokenBy(thrown)
    }
  }
  if (loose !== null && error === null) return { ok: true, code: loose }
  return { ok: false, error: error ?? { message: 'It can’t be read.', line: 1, column: 1 } }
}
