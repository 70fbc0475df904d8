import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { readLooseJson } from '@/lib/protocols/read-loose-json'
import { readServerUrl } from '@/lib/shared/conversation/settings/tool-server'

/** A server in the pasted text. */
export interface PastedServer {
  readonly url: string
  /** Its name in the JSON; '' if an address was pasted. */
  readonly name: string
}

/** All lists are empty if the text can't be read. */
export interface Pasted {
  readonly servers: readonly PastedServer[]
  /** The names of programs, which a browser can't start. */
  readonly localOnly: readonly string[]
  /** The names of servers whose address contains a placeholder. */
  readonly unfilled: readonly string[]
}

/**
 * Reads pasted text: an address, JSON with servers as other clients keep it, a part of such JSON, or a command or
 * another text with exactly one address. Programs that only connect to an address count as that server. Headers and
 * keys are not read.
 */
export function readPasted(text: string): Pasted {
  const trimmed = withoutFence(text.trim()).trim()
  const isWord = /^[^\s{["'“]\S*$/.test(trimmed)
  if (isWord && (readServerUrl(trimmed) !== null || !isFilled(trimmed))) return sorted([['', { url: trimmed }]])
  const entries = /[{["]/.test(trimmed) ? entriesOf(parsed(trimmed)) : []
  return sorted(entries.length > 0 ? entries : [['', { url: onlyAddress(trimmed) }]])
}

/** As pages and chats show code. */
const withoutFence = (text: string): string => /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text

type Entry = readonly [name: string, entry: JsonObject]

function sorted(entries: readonly Entry[]): Pasted {
  const servers = new Map<string, PastedServer>()
  const localOnly: string[] = []
  const unfilled: string[] = []
  for (const [name, entry] of entries) {
    const address = addressOf(entry)
    const url = address === null ? null : readServerUrl(address)
    if (address !== null && !isFilled(address)) unfilled.push(name || address)
    else if (url !== null) servers.set(url, servers.get(url) ?? { url, name })
    else if (isProgram(entry)) localOnly.push(name)
  }
  return { servers: [...servers.values()], localOnly, unfilled }
}

const isProgram = ({ command, type }: JsonObject): boolean =>
  (command !== undefined && command !== null && command !== '') || type === 'stdio'

const isFilled = (address: string): boolean => !/\$\{|\{\{|\{[\w:.-]+\}|<[^>]*>|\bYOUR_[A-Z_]+/i.test(decoded(address))

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** Programs that only pass on what a server with an address says. */
const bridge = /^(?:@[\w.-]+\/)?(?:mcp-remote|mcp-proxy|supergateway|fastmcp-remote)(?:@[\w.^~*-]+)?$/

function addressOf(entry: JsonObject): string | null {
  for (const key of ['url', 'serverUrl', 'httpUrl', 'server_url', 'uri', 'endpoint']) {
    const typed = entry[key]
    if (typeof typed === 'string' && typed !== '') return typed
  }
  const words = wordsOf(entry['command'], entry['args'])
  const at = words.findIndex((word) => bridge.test(word))
  return at < 0 ? null : (words.slice(at).find((word) => /^https?:\/\//i.test(word)) ?? null)
}

/** A command is a text, a list, or an object with both. */
function wordsOf(...values: readonly (JsonValue | undefined)[]): readonly string[] {
  return values.flatMap((value): readonly string[] => {
    if (typeof value === 'string') return value.split(/\s+/)
    if (Array.isArray(value)) return value.filter((one) => typeof one === 'string')
    return isJsonObject(value ?? null) ? wordsOf(...Object.values(value as JsonObject)) : []
  })
}

/** The keys under which clients keep their servers, perhaps after a prefix: `mcp.servers`, `amp.mcpServers`. */
const holder = /(?:^|[._])(?:mcp_?servers|servers|context_servers|mcp|remotes|extensions)$/i
const MAX_DEPTH = 5

function entriesOf(value: JsonValue): readonly Entry[] {
  const held = heldEntries(value, 0)
  if (held.length > 0) return held
  if (isJsonObject(value) && isEntry(value)) return [[nameOf(value), value]]
  return entriesIn(value)
}

function heldEntries(value: JsonValue, depth: number): readonly Entry[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => heldEntries(one, depth + 1))
  return Object.entries(value as JsonObject).flatMap(([key, one]): readonly Entry[] => {
    const inner = heldEntries(one, depth + 1)
    return inner.length > 0 || !holder.test(key) ? inner : entriesIn(one)
  })
}

/** Servers by their names, or in a list. */
function entriesIn(value: JsonValue): readonly Entry[] {
  if (Array.isArray(value)) {
    return value.flatMap((one: JsonValue): readonly Entry[] =>
      isJsonObject(one) && isEntry(one) ? [[nameOf(one), one]] : [],
    )
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, one]): readonly Entry[] =>
    isJsonObject(one) && isEntry(one) ? [[name, one]] : [],
  )
}

const isEntry = (entry: JsonObject): boolean => addressOf(entry) !== null || isProgram(entry)

const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '')

/** Users copy a part: `"name": { … }` without its braces, and with a comma after it. */
const parsed = (text: string): JsonValue => readLooseJson(text) ?? readLooseJson(`{${text.replace(/,\s*$/, '')}}`)

/** The address in a command (`claude mcp add maps https://…`), in TOML or in a sentence; '' if there is not exactly one. */
function onlyAddress(text: string): string {
  const all = new Set(text.match(/\bhttps?:\/\/[^\s"'`()[\]|\\^，。]+/gi)?.map((one) => one.replace(/[.,;:!?]+$/, '')))
  const [first = ''] = all
  return all.size === 1 && text.length <= 2_000 ? first : ''
}
