import type { CallOutcome, FileChanges } from '@/lib/shared/conversation/conversation'
import type { ToolRuntime } from '@/lib/shared/tools/tool-runtime'
import type { OpenReply } from './open-reply'
import type { CallControllerPorts } from './call-ports'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import { recordedChanges } from './recorded-changes'

/** Files that hang must not keep the model waiting for word of this. */
const patienceMs = 4_000

const ended = 'The page was closed or reloaded while this ran.'
const stopped = 'The user stopped this call while it ran.'
/** Paths that the model is told. */
const maxTold = 40

/** What is known of an attempt whose page is gone, stopped before or not, in words that are true of the files of this browser. */
export async function interruptedOutcome(
  ports: Pick<CallControllerPorts, 'runtime' | 'wait'>,
  { conversationId, messageId }: Pick<OpenReply, 'conversationId' | 'messageId'>,
  {
    target,
    attempt,
    wasStopped,
  }: { readonly target: MessageCall; readonly attempt: number; readonly wasStopped: boolean },
): Promise<CallOutcome> {
  const look = async () => {
    const runtime = await ports.runtime(conversationId)
    return { runtime, files: await recordedChanges(runtime.vfs, { messageId, slot: target.slot, attempt }) }
  }
  const found = await Promise.race([look().catch(() => null), ports.wait(patienceMs).then(() => null)])
  const files = found?.files ?? null
  return {
    status: wasStopped ? 'cancelled' : 'interrupted',
    result: {
      error: `${wasStopped ? stopped : ended} ${wordsOf(found?.runtime ?? null, files, target.call.name)}`,
      ...(files && { files: files.changes.slice(0, maxTold).map(({ path, change }) => `${change} ${path}`) }),
    },
    durationMs: null,
    console: [],
    displays: [],
    ...(files && { files }),
  }
}

function wordsOf(runtime: ToolRuntime | null, files: FileChanges | null, name: string): string {
  if (files) return 'It had changed files by then, and these changes stand.'
  return runtime?.filesAtTheEnd?.(name) === true
    ? 'None of its changes to files were kept.'
    : 'It may have changed files before it stopped.'
}
