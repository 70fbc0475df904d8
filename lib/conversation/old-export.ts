import type { ConversationExport } from './api-types'
import type { CallRecord, ResultRelease } from './conversation'
import { decisionOfOld, entriesOfOld, releaseOfOld } from './old-rows'
import { neverBegan } from './stopped-outcome'

type WithoutKeeper<R> = R extends unknown ? Omit<R, 'by'> : never

/** A call as an export of version 1 holds it. */
export type OldCallRecord = Omit<CallRecord, 'release'> & { readonly release: WithoutKeeper<ResultRelease> | null }

export type OldExport = Omit<ConversationExport, 'version' | 'calls'> & {
  readonly version: 1
  readonly calls: readonly OldCallRecord[]
}

/** An export of version 1 as one of today: what its fields hid has fields of its own. */
export function exportOfOld(old: OldExport): ConversationExport {
  const { conversation, messages, calls, log } = old
  const writtenAt = new Map(messages.map(({ id, createdAt }) => [id, createdAt]))
  return {
    ...old,
    version: 2,
    calls: calls.map(({ release, ...call }): CallRecord => {
      const { postedIn, finishedAt } = call
      return {
        ...call,
        ...decisionOfOld(call, neverBegan(call.stopped)),
        release:
          release &&
          (releaseOfOld(release, {
            postedAt: postedIn === null ? null : (writtenAt.get(postedIn) ?? null),
            cameLateAt: postedIn === null ? null : finishedAt,
            importedAt: conversation.importedAt ?? null,
          }) as ResultRelease),
      }
    }),
    log: entriesOfOld(log),
  }
}
