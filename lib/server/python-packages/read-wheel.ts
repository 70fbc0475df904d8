import { inflateRawSync } from 'node:zlib'
import { makeError } from '@/lib/i18n/t'
import { normalName } from '@/lib/sandbox/python-packages'

/*
 * Checks a wheel before it is stored. Python unpacks it later in a worker, and no unpacked member exceeds the size in
 * the archive's headers, so those sizes are added up here.
 */

export const wheelLimits = { fileBytes: 150_000_000, unpackedBytes: 500_000_000, members: 20_000 } as const

/** The limit for one text that is read here. */
const textBytes = 2_000_000

export interface WheelFacts {
  readonly name: string
  readonly version: string
  /** Names of its top-level modules. */
  readonly imports: readonly string[]
  /** Names of the packages that it requires here. */
  readonly requires: readonly string[]
  readonly licence: string
  readonly licenceText: string
  readonly source: string | null
}

interface Member {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

type Flaw = 'broken' | 'path' | 'large' | 'name'

const flawed = (file: string, why: Flaw) => makeError('bad-request', 'python-add.bad-wheel', { wheel: file, why })

/** The upper half of the attributes contains the Unix file type. */
const isLink = (attributes: number) => attributes >>> 28 === 0xa

function membersOf(data: Buffer, flaw: (why: Flaw) => Error): readonly Member[] {
  const end = data.lastIndexOf(Buffer.from('PK\x05\x06'))
  if (end === -1 || end + 22 > data.length) throw flaw('broken')
  const count = data.readUInt16LE(end + 10)
  if (count > wheelLimits.members) throw flaw('large')
  const members: Member[] = []
  let at = data.readUInt32LE(end + 16)
  let unpacked = 0
  for (let n = 0; n < count; n++) {
    if (at + 46 > data.length || data.readUInt32LE(at) !== 0x02014b50) throw flaw('broken')
    const nameEnd = at + 46 + data.readUInt16LE(at + 28)
    const name = data.toString('utf8', at + 46, nameEnd)
    const size = data.readUInt32LE(at + 24)
    if (!isInside(name) || isLink(data.readUInt32LE(at + 38))) throw flaw('path')
    if ((unpacked += size) > wheelLimits.unpackedBytes) throw flaw('large')
    members.push({
      name,
      size,
      method: data.readUInt16LE(at + 10),
      packed: data.readUInt32LE(at + 20),
      at: data.readUInt32LE(at + 42),
    })
    at = nameEnd + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32)
  }
  return members
}

/** Within the package folder, with a name that every system reads the same way. */
const isInside = (name: string): boolean =>
  name !== '' && !/^[/\\]|[\\\0:]/.test(name) && name.split('/').every((part) => part !== '..' && part !== '.')

function textOf(data: Buffer, { at, packed, method, size }: Member): string | null {
  if (size > textBytes || at + 30 > data.length) return null
  const from = at + 30 + data.readUInt16LE(at + 26) + data.readUInt16LE(at + 28)
  const bytes = data.subarray(from, from + packed)
  try {
    return (method === 0 ? bytes : inflateRawSync(bytes, { maxOutputLength: textBytes })).toString('utf8')
  } catch {
    return null
  }
}

/** The fields of a METADATA file, each in order. */
function fieldsOf(metadata: string): (name: string) => readonly string[] {
  const [head = ''] = metadata.split(/\r?\n\r?\n/)
  const lines = head.split(/\r?\n(?![ \t])/).map((line) => /^([\w-]+):\s*([\s\S]*)$/.exec(line))
  return (name) =>
    lines.flatMap((line) => (line?.[1]?.toLowerCase() === name.toLowerCase() ? [(line[2] ?? '').trim()] : []))
}

const versionParts = (text: string) => text.split('.').map(Number)

/**
 * Whether a condition is true in the sandbox: CPython 3.14 on Emscripten, without extras. An unknown condition counts
 * as true.
 */
function isMet(condition: string): boolean {
  return condition.split(/\bor\b/).some((some) =>
    some.split(/\band\b/).every((one) => {
      const found = /([\w.]+)\s*(==|!=|<=|>=|<|>)\s*["']([^"']*)["']/.exec(one)
      if (found === null) return true
      const [, name = '', operator = '', value = ''] = found
      if (name === 'extra') return false
      if (name === 'python_version' || name === 'python_full_version')
        return compare([3, 14], versionParts(value), operator)
      const here = {
        sys_platform: 'emscripten',
        platform_system: 'Emscripten',
        os_name: 'posix',
        implementation_name: 'cpython',
      }
      if (!Object.hasOwn(here, name)) return true
      const isSame = here[name as keyof typeof here] === value
      return operator === '!=' ? !isSame : operator === '==' ? isSame : true
    }),
  )
}

function compare(here: readonly number[], there: readonly number[], operator: string): boolean {
  const order = Math.sign((here[0] ?? 0) - (there[0] ?? 0)) || Math.sign((here[1] ?? 0) - (there[1] ?? 0))
  return (
    { '==': order === 0, '!=': order !== 0, '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[
      operator
    ] ?? true
  )
}

const namesIn = (members: readonly Member[]): readonly string[] => [
  ...new Set(
    members.flatMap(({ name }) => {
      const [first = '', second] = name.split('/')
      if (second === undefined) return /^([A-Za-z_]\w*)(?:\.[\w-]+)*\.(?:py|so)$/.exec(first)?.[1] ?? []
      return /^[A-Za-z_]\w*$/.test(first) && /\.(?:py|so)$/.test(name) ? [first] : []
    }),
  ),
]

/**
 * Reads a wheel named `file`. Throws AppError `bad-request` if it is invalid, or contains what must not be unpacked.
 */
export function readWheel(file: string, bytes: Uint8Array): WheelFacts {
  const flaw = (why: Flaw) => flawed(file, why)
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const members = membersOf(data, flaw)
  const metadata = members.find(({ name }) => /^[^/]+\.dist-info\/METADATA$/.test(name))
  const text = metadata && textOf(data, metadata)
  if (!text) throw flaw('broken')
  const field = fieldsOf(text)
  const [name, version] = [field('Name')[0], field('Version')[0]]
  if (name === undefined || version === undefined) throw flaw('broken')
  const [fileName = '', fileVersion] = file.split('-')
  if (normalName(fileName) !== normalName(name) || fileVersion !== version) throw flaw('name')
  const licences = members.filter(({ name: at }) =>
    /\.dist-info\/(?:licen[cs]es?\/.*|(?:licen[cs]e|copying|notice)[^/]*)$/i.test(at),
  )
  const classifier = field('Classifier').find((line) => line.startsWith('License ::'))
  return {
    name: normalName(name),
    version,
    imports: namesIn(members),
    requires: field('Requires-Dist').flatMap((line) => {
      const [what = '', condition = ''] = line.split(';')
      const needed = /^[A-Za-z0-9][\w.-]*/.exec(what.trim())?.[0]
      return needed !== undefined && isMet(condition) ? [normalName(needed)] : []
    }),
    licence: (field('License-Expression')[0] ?? classifier?.split('::').at(-1)?.trim() ?? field('License')[0] ?? '')
      .split('\n', 1)[0]!
      .slice(0, 80),
    licenceText: licences
      .map((member) => textOf(data, member)?.trim() ?? '')
      .filter((each) => each !== '')
      .join(`\n\n${'='.repeat(78)}\n\n`),
    source: field('Home-page')[0] ?? field('Project-URL')[0]?.split(',').at(-1)?.trim() ?? null,
  }
}
