/*
 * Tool servers that the operator configures (`mcpServers` in `nod.config.json`). Nod's server relays their calls. A
 * stored server of this kind has the address `nod:NAME` and the id `operator-NAME`, so that no other server can pretend
 * to be one.
 */

const NAME = /^[a-z\d][a-z\d_-]{0,39}$/

export const isOperatorName = (name: string): boolean => NAME.test(name)

export const operatorUrl = (name: string): string => `nod:${name}`
export const operatorId = (name: string): string => `operator-${name}`

/** The name in an address; null: it is the address of another kind of server. */
export const nameOfOperatorUrl = (url: string): string | null => nameAfter('nod:', url)
/** The name in an id; null: it is the id of another kind of server. */
export const nameOfOperatorId = (id: string): string | null => nameAfter('operator-', id)

/** Whether an id and an address belong together. */
export const agree = (id: string, url: string): boolean => nameOfOperatorId(id) === nameOfOperatorUrl(url)

function nameAfter(begin: string, text: string): string | null {
  const name = text.startsWith(begin) ? text.slice(begin.length) : ''
  return isOperatorName(name) ? name : null
}
