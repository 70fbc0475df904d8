import { makeTold, refusalText, type Told } from '@/lib/i18n/t'
import { errorText } from '@/lib/base/app-error'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import type { FileChanges } from '@/lib/shared/conversation/conversation'
import type { ChangedPath } from '@/lib/vfs/path'
import { createPendingChanges, type PendingChanges } from '@/lib/vfs/pending/pending-changes'
import type { RunFiles } from '@/lib/vfs/vfs'
import { formatBytes } from '@/lib/base/text/locale'
import { inTurn } from './offload-result'
import type { ToolContext, ToolOutcome } from './tool'

/** Paths that an outcome names; its `total` counts the rest. */
const maxNamed = 200
/** Paths that the model is told. */
const maxTold = 40

/**
 * Runs code on a layer over the conversation's files and then settles what it changed: the user is asked where the context
 * says so, else all of it is kept; kept is one step, all or nothing. A run that did not come
 * to an end by itself (stopped, timed out, its sandbox gone) changes no file; one that threw keeps what it did until then. The
 * result says what was created, changed and deleted, or why nothing was.
 */
export async function runOnLayer(
  context: ToolContext<'write'>,
  run: (files: RunFiles) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const layer = createPendingChanges(context.vfs)
  const outcome = await run(layer.files)
  const all = layer.changes()
  if (all.length === 0) return outcome.ok ? outcome : withWords(outcome, makeTold('told.files.unchanged'))
  if (!outcome.ok && outcome.reason !== 'threw') return withWords(outcome, makeTold('told.files.not-kept'))
  const named = { changes: all.slice(0, maxNamed), total: all.length }
  const answer = (await context.review?.({ ...named, texts: (path) => layer.texts(path) })) ?? 'keep'
  if (answer === 'discard') return settled(outcome, { ...named, kept: false }, all, discarded)
  const problem = await keep(context, layer)
  if (problem === null) return settled(outcome, { ...named, kept: true }, all, null)
  return settled(outcome, { ...named, kept: false }, all, `${noneKept} ${problem}`)
}

const noneKept = 'None of its changes to files were kept.'

const discarded =
  'The user looked at what the code did to the files and did not keep it: all files are as they were before.'

/** Null when it worked, else why nothing was changed. */
async function keep({ vfs }: ToolContext<'write'>, layer: PendingChanges): Promise<string | null> {
  try {
    const kept = await inTurn(vfs, () => layer.commit())
    return kept.ok ? null : refusalText(kept.error, 'en')
  } catch (thrown) {
    return errorText(thrown)
  }
}

/** The outcome with what became of the files, for the card and for the model. */
function settled(
  outcome: ToolOutcome,
  files: FileChanges,
  all: readonly ChangedPath[],
  problem: string | null,
): ToolOutcome {
  const told = toldPaths(all)
  const more: JsonObject = problem === null ? { files: told } : { files_not_kept: told, files_note: problem }
  if (outcome.ok) return { ...outcome, files, result: joined(outcome.result, more) }
  return { ...outcome, files, result: joined(outcome.result ?? { error: outcome.message }, more) }
}

/** A failure whose sentence goes on with what became of the files. */
function withWords(outcome: ToolOutcome & { readonly ok: false }, words: Told): ToolOutcome & { readonly ok: false } {
  // Code that threw has its own text, several lines often: that one is not touched.
  if (outcome.reason === 'threw') return outcome
  const message = `${outcome.message} ${words.message}`
  const said = outcome.said && [...outcome.said, words]
  const { result } = outcome
  return isJsonObject(result)
    ? { ...outcome, message, said, result: { ...result, error: message } }
    : { ...outcome, message, said }
}

const joined = (result: ToolOutcome['result'], more: JsonObject): JsonObject =>
  isJsonObject(result) ? { ...result, ...more } : { value: result ?? null, ...more }

function toldPaths(all: readonly ChangedPath[]): readonly string[] {
  const lines = all.slice(0, maxTold).map(({ path, change, kind, size }) => {
    if (kind === 'directory') return `${change} ${path}/`
    return change === 'deleted' ? `deleted ${path}` : `${change} ${path}, ${formatBytes(size)}`
  })
  return all.length > maxTold ? [...lines, `… ${all.length - maxTold} more`] : lines
}
