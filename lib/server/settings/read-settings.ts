import { err, ok, type Result } from '@/lib/base/result'
import { readHosts } from './read-hosts'
import { type Setting, isSecret } from './setting'
import * as z from 'zod'
import { t } from '@/lib/i18n/t'
import { commandVariables, settingsTable, type Settings } from './settings-table'

// Not `{ z }`: that would pull the messages of all languages into the supervisor's entry.

const MAX_HOPS = 16
const words: Readonly<Record<string, number>> = { on: 1, true: 1, yes: 1, off: 0, false: 0, no: 0 }
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
/** This machine's own addresses, for a proxy on the same machine. */
const loopback = ['127.0.0.0/8', '::1/128']

/**
 * `2` means two proxies in a row; `loopback, 10.0.0.0/8` means those networks. The error is the part that is neither.
 */
function readProxies(text: string): Result<number | readonly string[], string> {
  const word = text.toLowerCase()
  if (Object.hasOwn(words, word)) return ok(words[word] ?? 0)
  if (/^\d+$/.test(text)) return Number(text) <= MAX_HOPS ? ok(Number(text)) : err(text)
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => (part.toLowerCase() === 'loopback' ? loopback : [part]))
  const wrong = parts.find((part) => !network.safeParse(part).success)
  return wrong === undefined && parts.length > 0 ? ok(parts) : err(wrong ?? text)
}

type Value = number | boolean | string | readonly string[] | null

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const flags: Readonly<Record<string, boolean>> = {
  '1': true,
  true: true,
  on: true,
  yes: true,
  '0': false,
  false: false,
  off: false,
  no: false,
}

/** Reads the value of a variable; `undefined` and an empty value give the default. An error is a sentence. */
export function readValue(name: string, setting: Setting, written: string | undefined): Result<Value, string> {
  const given = written?.trim() ?? ''
  // A default is parsed like any other value.
  const text = given === '' && setting.kind === 'hosts' ? setting.default : given
  // A secret of blanks was meant as one: if a minimum length is required, it must not count as missing.
  if (text === '' && !(setting.kind === 'secret' && setting.minChars !== undefined && written)) {
    return ok(
      setting.kind === 'list' || setting.kind === 'secrets' ? [] : 'default' in setting ? setting.default : null,
    )
  }
  const value = shown(text)
  switch (setting.kind) {
    case 'number': {
      const { unit, least, most, decimals, auto = false } = setting
      if (auto && text === 'auto') return ok(0)
      const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
      const fits = number >= least && number <= most && (decimals === true || Number.isInteger(number))
      return fits
        ? ok(number)
        : err(t('variable.number', { name, value, unit: unit.other, least, most, whole: !decimals, auto }))
    }
    case 'duration': {
      const { least, most } = setting
      const [, amount = '', unit = 'ms'] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)?$/.exec(text) ?? []
      const ms = amount === '' ? Number.NaN : Math.round(Number(amount) * (unitsMs[unit] ?? Number.NaN))
      return ms >= least && ms <= most
        ? ok(ms)
        : err(t('variable.duration', { name, value, least: durationText(least), most: durationText(most) }))
    }
    case 'proxies': {
      const read = readProxies(text)
      return read.ok ? read : err(t('variable.proxies', { name, value: shown(read.error) }))
    }
    case 'hosts': {
      const read = readHosts(text, setting)
      return read.ok ? read : err(t('variable.hosts', { name, value: shown(read.error) }))
    }
    case 'flag': {
      const word = text.toLowerCase()
      const flag = Object.hasOwn(flags, word) ? flags[word] : undefined
      return flag === undefined ? err(t('variable.flag', { name, value })) : ok(flag)
    }
    case 'choice': {
      const found = setting.choices.find((choice) => choice === text.toLowerCase())
      const choices = setting.choices.join(', ')
      return found === undefined ? err(t('variable.choice', { name, value, choices })) : ok(found)
    }
    case 'url': {
      // A PostgreSQL URL may name a socket instead of a host, which no web URL does.
      const isComplete = !/^https?:/i.test(text) || URL.canParse(text)
      const fits = isComplete && setting.protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}://`))
      const example = setting.protocols.map((protocol) => `${protocol}://`).join(' or ')
      return fits ? ok(text) : err(t('variable.url', { name, example }))
    }
    case 'secret': {
      const least = setting.minChars ?? 1
      if ((written ?? '').length >= least && text !== '') return ok(written ?? '')
      return err(t(name === 'NOD_SECRET' ? 'variable.server-secret-short' : 'variable.secret-short', { name, least }))
    }
    case 'secrets':
      // Also as a whole: a single former secret may contain a comma.
      return ok([...new Set([written ?? '', ...parts(written ?? '', /[,\n]/)])])
    case 'list':
      return ok([...new Set(parts(text, ','))])
    case 'text':
      return ok(text)
  }
}

const parts = (text: string, by: string | RegExp): readonly string[] =>
  text
    .split(by)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The value, on one line and shortened. */
const shown = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}

/** 30_000 → 30s: in the largest unit that gives a whole number. */
export function durationText(ms: number): string {
  const [unit = 'ms', size = 1] =
    Object.entries(unitsMs)
      .toReversed()
      .find(([, each]) => ms > 0 && ms % each === 0) ?? []
  return `${ms / size}${unit}`
}

/** The most similar name, by changed, missing or added letters; null if none is similar enough. */
export function nearestName(written: string, names: readonly string[]): string | null {
  let nearest: string | null = null
  let least = Math.max(2, Math.ceil(written.length / 4)) + 1
  for (const name of names) {
    const far = distance(written.toUpperCase(), name)
    if (far < least) {
      least = far
      nearest = name
    }
  }
  return nearest
}

/** Levenshtein distance, row by row. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const here = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (above[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1)
      here.push(Math.min(changed, (above[at] ?? 0) + 1, (here[at - 1] ?? 0) + 1))
    }
    above = here
  }
  return above.at(-1) ?? 0
}

type Env = Readonly<Record<string, string | undefined>>

interface FilesRead {
  /** The environment including the contents of the files. */
  readonly env: Env
  /** One sentence each. */
  readonly mistakes: readonly string[]
}

/**
 * Secrets from files, as container platforms mount them: `X_FILE=/run/secrets/x` sets X to the file's text, without the
 * trailing newline. `readFile` throws like Node's.
 */
export function readSecretFiles(env: Env, names: readonly string[], readFile: (file: string) => string): FilesRead {
  const found: Record<string, string> = {}
  const mistakes: string[] = []
  for (const name of names) {
    const file = env[`${name}_FILE`]?.trim() ?? ''
    if (file === '') continue
    if (env[name] !== undefined && env[name] !== '') {
      mistakes.push(t('variable.file-and-value', { name }))
      continue
    }
    try {
      const text = readFile(file).replace(/\r?\n$/, '')
      if (text.trim() === '') mistakes.push(t('variable.file-empty', { name, file }))
      else found[name] = text
    } catch (error) {
      mistakes.push(t('variable.file-unreadable', { name, file, problem: codeOf(error) }))
    }
  }
  return { env: { ...env, ...found }, mistakes }
}

/** ENOENT, EACCES, EISDIR: never the message, which could quote the value. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unreadable'

export interface SettingsRead {
  readonly settings: Settings
  /** The environment including the contents of secret files. */
  readonly env: Env
  /** All errors, one sentence each; if there are any, `settings` must not be used. */
  readonly mistakes: readonly string[]
  /** Variables without effect, which are probably typos. */
  readonly warnings: readonly string[]
}
const rows: readonly (readonly [string, Setting])[] = Object.entries(settingsTable)
const names = rows.map(([name]) => name)
const secretNames = rows.filter(([, setting]) => isSecret(setting)).map(([name]) => name)
const known = new Set([...names, ...secretNames.map((name) => `${name}_FILE`), ...commandVariables])

/** Reads every variable of the table strictly, and reports all errors at once. Never throws. */
export function readSettings(given: Env, readFile: (file: string) => string): SettingsRead {
  const { env, mistakes: fileMistakes } = readSecretFiles(given, secretNames, readFile)
  const mistakes = [...fileMistakes]
  const settings: Record<string, unknown> = {}
  for (const [name, setting] of rows) {
    const read = readValue(name, setting, env[name])
    if (read.ok) settings[name] = read.value
    else mistakes.push(read.error)
  }
  const isSecretNamed = mistakes.some((mistake) => mistake.startsWith('NOD_SECRET'))
  if (env['DATABASE_URL'] && !env['NOD_SECRET'] && !isSecretNamed) mistakes.push(t('variable.secret-missing'))
  // Each name of the table has its value now, unless there is an error for it.
  return { settings: settings as unknown as Settings, env, mistakes, warnings: unknownNames(env) }
}

function unknownNames(env: Env): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('NOD_') && !known.has(name))
    .toSorted()
    .map((name) => t('variable.unknown', { name, nearest: nearestName(name, [...known]) }))
}
