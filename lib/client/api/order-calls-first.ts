import type { NodApi } from './nod-api'

/** A network that hangs holds words back for no longer. */
const patienceMs = 5_000

type CallAct = 'decideCall' | 'finishCall' | 'stopCall' | 'explainDenial' | 'amendCall' | 'releaseResult'

/**
 * The same server, which hears of what was done with the calls of a chat before it gets words that were sent after that:
 * requests overtake each other on the way, and a model is told what its reader had seen when they wrote.
 */
export function callActsFirst(api: NodApi, wait: (ms: number) => Promise<void>): NodApi {
  const underWay = new Map<string, Set<Promise<unknown>>>()

  function first<Act extends CallAct>(name: Act): NodApi[Act] {
    const act = api[name] as (id: string, body: unknown) => Promise<unknown>
    return ((id: string, body: unknown) => {
      const acts = underWay.get(id) ?? new Set()
      underWay.set(id, acts)
      const answer = act(id, body)
      acts.add(answer)
      const over = () => {
        acts.delete(answer)
        if (acts.size === 0 && underWay.get(id) === acts) underWay.delete(id)
      }
      answer.then(over, over)
      return answer
    }) as NodApi[Act]
  }

  return {
    ...api,
    decideCall: first('decideCall'),
    finishCall: first('finishCall'),
    stopCall: first('stopCall'),
    explainDenial: first('explainDenial'),
    amendCall: first('amendCall'),
    releaseResult: first('releaseResult'),
    async chat(body) {
      const acts = underWay.get(body.conversationId)
      if (acts) await Promise.race([Promise.allSettled(acts), wait(patienceMs)])
      return api.chat(body)
    },
  }
}
