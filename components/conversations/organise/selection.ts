/** Which lines of a list are chosen, and where a range goes on from. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | null
}

export const noSelection: Selection = { ids: new Set(), anchor: null }

/** One line is chosen or left out. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** From the line that was touched last to this one: all become what that one is. */
export function ranged(selection: Selection, id: string, order: readonly string[]): Selection {
  const { ids, anchor } = selection
  const from = anchor === null ? -1 : order.indexOf(anchor)
  const to = order.indexOf(id)
  if (anchor === null || from < 0 || to < 0) return toggled(selection, id)
  const next = new Set(ids)
  for (const one of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (ids.has(anchor)) next.add(one)
    else next.delete(one)
  }
  return { ids: next, anchor: id }
}

/** Those that are gone from the list are not chosen any more. */
export function among(selection: Selection, order: readonly string[]): Selection {
  const there = new Set(order)
  const ids = new Set([...selection.ids].filter((id) => there.has(id)))
  return ids.size === selection.ids.size ? selection : { ...selection, ids }
}
