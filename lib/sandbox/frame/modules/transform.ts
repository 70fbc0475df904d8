import { transform } from 'sucrase'
import { parse } from 'sucrase/dist/esm/parser'
import { scanCode, type CodeEdit, type ImportedName } from './scan-code'

/*
 * ES module or TypeScript → the body of a function, line by line, so that errors keep their lines:
 *
 *   import { a } from './a.js'           var _a = require('./a.js');
 *   export const b = a(1)                 const b = _a.a.call(void 0, 1); exports.b = b
 *   await import(import.meta.url)        await $import($meta.url)
 *
 * Sucrase does the first two, with live bindings. Exported functions are put in front, because modules that import each
 * other may call them before they were reached. Columns do not survive.
 */

export interface TransformedCode {
  readonly body: string
  /** Code with `import` or `export`; else it is a script that may use `require`. */
  readonly isModule: boolean
  readonly isTypeScript: boolean
  readonly imports: readonly ImportedName[]
  /** `require('…')` of a literal, wherever it stands. */
  readonly requires: readonly { readonly specifier: string; readonly line: number }[]
}

export interface BrokenCode {
  readonly message: string
  readonly line: number
  readonly column: number
}

export type TransformResult =
  { readonly ok: true; readonly code: TransformedCode } | { readonly ok: false; readonly error: BrokenCode }

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

/** Specifiers that are still required behind the transformation: imports of nothing but types are gone. */
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

/** Never throws. The first of `types` that the code is written in counts; the error is the one of the first. */
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
      // Sucrase reads more than the engine does: the engine has the last word, and the better message.
      if (compiles(transformed.body)) return { ok: true, code: transformed }
      loose ??= transformed
    } catch (thrown) {
      error ??= brokenBy(thrown)
    }
  }
  if (loose !== null && error === null) return { ok: true, code: loose }
  return { ok: false, error: error ?? { message: 'It can’t be read.', line: 1, column: 1 } }
}
