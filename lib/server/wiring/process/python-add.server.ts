import '@/lib/i18n/server-messages'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import lock from 'pyodide/pyodide-lock.json'
import { z } from 'zod'
import { AppError } from '@/lib/base/app-error'
import { formatBytes } from '@/lib/base/text/locale'
import { makeError, t } from '@/lib/i18n/t'
import { normalName, shippedPackages } from '@/lib/sandbox/python-packages'
import { pyodideVersion } from '@/lib/sandbox/python-assets'
import { addPackages } from '@/lib/server/python-packages/add-packages'
import {
  packageFolder,
  readPackages,
  removePackage,
  type AddedPackage,
} from '@/lib/server/python-packages/package-folder'
import { packageSource, type Fetch } from '@/lib/server/python-packages/package-source'
import { makeDataFolder } from '@/lib/server/store/database/disk-space-watch'
import { dataDirectory } from '../requests/owners.server'
import { settingsFrom } from '../settings.server'

/*
 * The command that adds Python packages: `node python-add.cjs numpy pandas` in a release, `npm run generate --
 * python-add numpy pandas` in a checkout. It writes into the server's data folder; a running server offers the packages
 * from the next message on.
 */

type Env = Readonly<Record<string, string | undefined>>

/** Beside `nod.config.json`, for the operator's own repository: the hashes of PyPI wheels at their first use. */
const pinsFile = 'nod.python.json'

const pinned = z.object({ wheels: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)) })

function readPins(file: string): Readonly<Record<string, string>> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  try {
    return pinned.parse(JSON.parse(text)).wheels
  } catch (cause) {
    throw makeError('bad-request', 'python-add.bad-pins', { place: file }, { cause })
  }
}

/** Returns the message to print if the file can't be written, as in an image. */
function writePins(file: string, pins: Readonly<Record<string, string>>): readonly string[] {
  const sorted = Object.fromEntries(Object.entries(pins).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const text = `${JSON.stringify({ wheels: sorted }, null, 2)}\n`
  try {
    writeFileSync(file, text)
    return [t('python-add.pinned', { place: pinsFile })]
  } catch {
    return [t('python-add.not-pinned', { place: pinsFile }), text.trimEnd()]
  }
}

const lineOf = ({ name, version, bytes }: AddedPackage): string =>
  t('python-add.line', { pack: name, version, bytes: formatBytes(bytes) })

function list(folder: string): readonly string[] {
  const added = readPackages(folder)
  const shipped = shippedPackages.map(({ name, version }) => `${name} ${version}`).join(', ')
  return [...added.map(lineOf), t('python-add.shipped', { added: added.length, shipped })]
}

async function remove(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const wanted = new Set(names.map(normalName))
  const there = readPackages(folder)
  for (const name of wanted) {
    if (!there.some((each) => each.name === name))
      throw makeError('bad-request', 'python-add.not-there', { pack: name })
    const by = there.find((each) => each.depends.includes(name) && !wanted.has(each.name))
    if (by) throw makeError('bad-request', 'python-add.still-needed', { pack: name, by: by.name })
  }
  const removed = there.filter(({ name }) => wanted.has(name))
  for (const each of removed) await removePackage(folder, each)
  return removed.map(({ name }) => t('python-add.removed', { pack: name }))
}

interface Asked {
  readonly what: 'add' | 'list' | 'remove'
  readonly names: readonly string[]
  readonly from: string | null
}

function asked(words: readonly string[]): Asked {
  const at = words.indexOf('--from')
  const from = at === -1 ? null : (words[at + 1] ?? '')
  const rest = at === -1 ? words : words.toSpliced(at, 2)
  const names = rest.filter((word) => !word.startsWith('--'))
  const [flag = 'add', ...more] = rest.flatMap((word) => (word.startsWith('--') ? [word.slice(2)] : []))
  const isComplete = more.length === 0 && from !== '' && (flag === 'list' ? names.length === 0 : names.length > 0)
  if (!isComplete || (flag !== 'add' && flag !== 'list' && flag !== 'remove'))
    throw makeError('bad-request', 'python-add.usage-wrong')
  return { what: flag, names, from }
}

/** Runs the command and returns the text to print. Throws AppError with a sentence. */
export async function runPythonAdd(words: readonly string[], env: Env, fetch: Fetch): Promise<readonly string[]> {
  const { what, names, from } = asked(words)
  const folder = packageFolder(dataDirectory(settingsFrom(env).settings))
  if (what === 'list') return list(folder)
  if (what === 'remove') return remove(folder, names)
  makeDataFolder(path.dirname(path.dirname(folder)))
  await mkdir(folder, { recursive: true })
  const lines: string[] = []
  const file = path.resolve(pinsFile)
  const pins = readPins(file)
  const newPins = await addPackages(names, {
    lock: lock.packages,
    folder,
    source: packageSource(from, fetch),
    from: from ?? `Pyodide ${pyodideVersion}`,
    pins,
    onAdded: (added) => lines.push(lineOf(added)),
  })
  const isNew = Object.keys(newPins).some((pin) => pins[pin] === undefined)
  return [
    ...lines,
    ...(isNew ? writePins(file, { ...pins, ...newPins }) : []),
    t('python-add.done', { count: lines.length }),
  ]
}

/** The command line: prints the result and returns the exit code. `called`: the command's name in this environment. */
export async function pythonAddMain(words: readonly string[], env: Env, called: string): Promise<number> {
  const help = t('python-add.usage', { called })
  if (words.length === 0 || words.some((word) => word === '--help' || word === '-h')) {
    console.log(help)
    return 0
  }
  try {
    for (const line of await runPythonAdd(words, env, fetch)) console.log(line)
    return 0
  } catch (error) {
    console.error(error instanceof AppError ? error.message : error)
    if (!(error instanceof AppError)) return 1
    if (error.reason === 'python-add.usage-wrong') console.error(help)
    return error.code === 'bad-request' || error.reason === 'variable.wrong' ? 2 : 1
  }
}
