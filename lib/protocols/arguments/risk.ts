import type { ToolSpec } from '../types/tool-context-def'

/**
 * How much harm a call to a tool could do, by the words of its name: an example may come back as a reply, and then it
 * asks to be run. 0 reads, 1 is unknown, 2 destroys or reaches other people.
 */
export function riskOf({ name }: Pick<ToolSpec, 'name'>): number {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
  if (words.some((word) => RISKY.has(word))) return 2
  return words.some((word) => READING.has(word)) ? 0 : 1
}

const READING = new Set(['read', 'list', 'get', 'find', 'search', 'show', 'look', 'view', 'fetch', 'query', 'stat'])
const RISKY = new Set(
  (
    'delete remove drop erase clear purge reset kill stop cancel close move rename overwrite send post publish ' +
    'reply share invite pay buy order transfer deploy merge push execute exec run shell command sql'
  ).split(' '),
)
