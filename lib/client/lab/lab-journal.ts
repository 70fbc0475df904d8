import { createRowDatabase } from '@/lib/client/browser/row-database'
import type { LabResult } from './lab-result'
import { labSetupSchema, type LabSetup } from './lab-runner'
import { trialRecordSchema, type TrialRecord } from './trial-record'

/** The files that imported probes came from, unchanged. */
export interface ProbeFile {
  readonly name: string
  readonly questions: string
  readonly answers: string | null
}

export interface StoredLab {
  readonly setup: LabSetup
  readonly file: ProbeFile | null
}

/** Labs and their trials in this browser: each trial is stored separately, so that no finished one is lost. */
export interface LabJournal {
  /** Newest first; unreadable entries are left out. */
  labs(): Promise<readonly StoredLab[]>
  records(labId: string): Promise<readonly TrialRecord[]>
  begin(lab: StoredLab): Promise<void>
  keep(labId: string, record: TrialRecord): Promise<void>
  remove(labId: string): Promise<void>
  /** Imported results of others, by the id that they got here. */
  imported(): Promise<readonly { readonly id: string; readonly result: LabResult }[]>
  keepImported(id: string, result: LabResult): Promise<void>
  removeImported(id: string): Promise<void>
}

const LABS = 'labs'
const TRIALS = 'trials'
const IMPORTED = 'imported'

/** Opens the database on first use; every method rejects with the browser's reason if it is not available. */
export function createLabJournal(factory: () => IDBFactory, name: string): LabJournal {
  const ask = createRowDatabase(factory, name, {
    [LABS]: 'id',
    [TRIALS]: ['lab', 'number'],
    [IMPORTED]: 'id',
  })
  const trialsOf = (labId: string) => IDBKeyRange.bound([labId, 0], [labId, Number.MAX_SAFE_INTEGER])

  return {
    async labs() {
      const rows = await ask<unknown[]>(LABS, 'readonly', (labs) => labs.getAll())
      const kept = rows.flatMap((row): readonly StoredLab[] => {
        const { setup, file = null } = row as { readonly setup: unknown; readonly file?: ProbeFile | null }
        const parsed = labSetupSchema.safeParse(setup)
        return parsed.success ? [{ setup: parsed.data, file }] : []
      })
      return kept.toSorted((a, b) => b.setup.startedAt - a.setup.startedAt)
    },
    async records(labId) {
      const rows = await ask<unknown[]>(TRIALS, 'readonly', (trials) => trials.getAll(trialsOf(labId)))
      return rows.flatMap((row) => {
        const parsed = trialRecordSchema.safeParse((row as { readonly record: unknown }).record)
        return parsed.success ? [parsed.data] : []
      })
    },
    async begin({ setup, file }) {
      await ask(LABS, 'readwrite', (labs) => labs.put({ id: setup.id, setup, file }))
    },
    async keep(lab, record) {
      await ask(TRIALS, 'readwrite', (trials) => trials.put({ lab, number: record.number, record }))
    },
    async remove(labId) {
      await ask(LABS, 'readwrite', (labs) => labs.delete(labId))
      await ask(TRIALS, 'readwrite', (trials) => trials.delete(trialsOf(labId)))
    },
    imported: () =>
      ask<{ readonly id: string; readonly result: LabResult }[]>(IMPORTED, 'readonly', (rows) => rows.getAll()),
    async keepImported(id, result) {
      await ask(IMPORTED, 'readwrite', (rows) => rows.put({ id, result }))
    },
    async removeImported(id) {
      await ask(IMPORTED, 'readwrite', (rows) => rows.delete(id))
    },
  }
}
