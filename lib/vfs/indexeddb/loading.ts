import { withDelta } from '../log/log-delta'
import type { VersionedFiles } from '../versioned-files'
import type { Known } from './commit'
import type { Stores } from './database'
import { settled } from './settled'
import { checkpointKey, type ChangeRecord, type Checkpoint } from './records'

/** Brings what is known up to date, or loads it anew when a checkpoint was made since. */
export async function catchUp(stores: Stores, known: Known | null, create: () => VersionedFiles): Promise<Known> {
  const state = await settled<Checkpoint | undefined>(stores('state').get(checkpointKey))
  let from = known
  if (from === null || (state?.generation ?? 0) > from.generation) {
    const files = create()
    if (state !== undefined) files.learn(state.nodes, state.log)
    from = { files, generation: state?.generation ?? 0, checkpoint: state?.generation ?? 0, shifted: 0 }
  }
  const changes = await settled<ChangeRecord[]>(stores('changes').getAll(IDBKeyRange.lowerBound(from.generation, true)))
  const { files } = from
  let { log } = files
  for (const change of changes) {
    if (change.log !== null) log = withDelta(log, change.log)
    files.learn(change.nodes, log)
  }
  return { ...from, generation: changes.at(-1)?.generation ?? from.generation }
}
