import type { Dialect } from '../arguments/dialect'
import type { Draft } from './draft'
import { isClosed } from './ends-inside'

/*
 * <tool_code>
 * {"name":"plan","arguments":{}}
 * ["name":"run","arguments":{}}
 * {"name":"get_time","arguments":{}}
 * </tool_code>
 *
 * The last call looks like one that lost its opening tag. The tag is there, and an element before the call is damaged: nobody
 * knows at which depth the call stands.
 */

/** Quotes the calls that were read without an opener although a tag before them is still open. */
export function quoteInOpenTag(drafts: readonly Draft[], text: string, { traces }: Dialect): readonly Draft[] {
  const leavesOpen = traces?.leavesOpen
  if (!leavesOpen || !drafts.some(isWithoutOpener)) return drafts
  let open = false
  return drafts.map((draft): Draft => {
    const isElement = open && isWithoutOpener(draft)
    switch (draft.kind) {
      case 'text':
        open = leavesOpen(text.slice(draft.start, draft.end)) ?? open
        break
      case 'call':
        if (draft.standing === 'live') open = draft.call.repairs.includes('missing-closer')
        break
      case 'broken':
        open = !isClosed(text, draft)
        break
      case 'reasoning':
    }
    return isElement ? { ...draft, standing: 'quoted' } : draft
  })
}

const isWithoutOpener = (draft: Draft): draft is Extract<Draft, { kind: 'call' }> =>
  draft.kind === 'call' && draft.standing === 'live' && draft.call.repairs.includes('missing-opener')
