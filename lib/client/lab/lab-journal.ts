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

const VERSION = 1
const LABS = 'labs'
const TRIALS = 'trials'
const IMPORTED = 'imported'

/** Opens the database on first use; every method rejects with the browser's reason if it is not available. */
export function createLabJournal(factory: () => IDBFactory, name: string): LabJournal {
  let opening: Promise<IDBDatabase> | null = null
  const open = (): Promise<IDBDatabase> => {
    opening ??= openDatabase(factory(), name, () => {
      opening = null
    })
    opening.catch(() => {
      opening = null
    })
    return opening
  }
  async function ask<T>(
    store: string,
    mode: IDBTransactionMode,
    work: (rows: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    const transaction = (await open()).transaction(store, mode)
    const request = work(transaction.objectStore(store))
    return new Promise((resolve, reject) => {
      // A write counts when the transaction has completed, not when it was requested.
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
    })
  }
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

function openDatabase(factory: IDBFactory, name: string, onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(name, VERSION)
    request.onupgradeneeded = () => {
      const database = request.result
      database.createObjectStore(LABS, { keyPath: 'id' })
      database.createObjectStore(TRIALS, { keyPath: ['lab', 'number'] })
      database.createObjectStore(IMPORTED, { keyPath: 'id' })
    }
    request.onsuccess = () => {
      const database = request.result
      // Another tab of a newer page wants it, or the browser closed it.
      database.onversionchange = () => {
        database.close()
        onGone()
      }
      database.onclose = onGone
      resolve(database)
    }
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing here'))
  })
}
