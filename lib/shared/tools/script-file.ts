import { err, ok, type Result } from '@/lib/base/result'
import { makeModelMessage } from '@/lib/i18n/t'
import type { SandboxLanguage } from '@/lib/sandbox/sandbox'
import { nameOf, normalizePath, parentOf } from '@/lib/vfs/path'
import { refuse } from './refuse'
import type { ToolContext, ToolOutcome } from './tool'
import { failWith } from './vfs-failure'

/* Runs a script of the chat's files as code, with arguments, as a shell would. */

type Failure = Extract<ToolOutcome, { readonly ok: false }>

const runners = { python: 'python_eval', javascript: 'browser_js_eval' } as const
const endings: readonly (readonly [language: keyof typeof runners | 'shell', names: RegExp])[] = [
  ['python', /\.py$/i],
  ['javascript', /\.(?:[cm]?js|[cm]?ts)$/i],
  ['shell', /\.(?:sh|bash|zsh|fish|ps1|bat|cmd)$/i],
]

/** The code that a call with these arguments runs. */
export async function codeToRun(
  { code = '', file = '', args = [] }: CodeArguments,
  context: ToolContext<'write'>,
  language: SandboxLanguage,
): Promise<Result<string, ToolOutcome>> {
  if ((code === '') === (file === '')) return err(refuse('invalid-arguments', makeModelMessage('told.script-or-code')))
  if (file === '') return ok(code)
  const place = normalizePath(file)
  if (!place.ok) return err(await failWith(place.error, context.vfs, 'file'))
  const path = place.value
  const wrong = wrongLanguage(path, language)
  if (wrong) return err(wrong)
  const found = await context.vfs.stat(path)
  if (!found.ok) return err(await failWith(found.error, context.vfs, 'file'))
  return ok(language === 'python' ? pythonCode(path, args) : javaScriptCode(path, args))
}

export interface CodeArguments {
  readonly code?: string | undefined
  readonly file?: string | undefined
  readonly args?: readonly string[] | undefined
}

function wrongLanguage(path: string, language: SandboxLanguage): Failure | null {
  const [kind] = endings.find(([, names]) => names.test(path)) ?? []
  if (kind === language) return null
  const name = nameOf(path)
  if (kind === 'shell') return refuse('no-shell', makeModelMessage('told.script-shell', { name }))
  if (kind === undefined) return refuse('no-script', makeModelMessage('told.script-unknown', { name }))
  return refuse('other-language', makeModelMessage('told.script-other', { name, tool: runners[kind] }))
}

/**
 * JSON strings are valid Python strings too: well-formed text contains nothing that JSON writes raw and Python rejects.
 */
const text = (value: string) => JSON.stringify(value.toWellFormed())

const pythonCode = (path: string, args: readonly string[]): string =>
  [
    'import runpy, sys',
    `sys.argv = [${[path, ...args].map(text).join(', ')}]`,
    `sys.path.insert(0, ${text(parentOf(path))})`,
    `_ = runpy.run_path(${text(path)}, run_name="__main__")`,
  ].join('\n')

const javaScriptCode = (path: string, args: readonly string[]): string =>
  [`process.argv = [${['node', path, ...args].map(text).join(', ')}]`, `await import(${text(path)})`, 'undefined'].join(
    '\n',
  )
