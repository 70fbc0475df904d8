'use client'

import { useCallback, useEffect, useState } from 'react'
import { t } from '@/lib/i18n/t'
import { formatBytes } from '@/lib/base/format-bytes'
import { importedBests } from '@/lib/lab/imported-best'
import { keepImportedBest } from '@/lib/lab/measured-best'
import { readResult, type LabResult } from '@/lib/lab/lab-result'
import { labPorts } from '@/lib/wiring/lab.browser'

const MAX_BYTES = 50_000_000

/** Results that others gave, kept in this browser. */
export function useImported() {
  const [results, setResults] = useState<readonly { readonly id: string; readonly result: LabResult }[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const { journal } = labPorts

  const refresh = useCallback(async () => {
    try {
      const all = await journal.imported()
      setResults(all)
      const best = importedBests(all.map(({ result }) => result))
      keepImportedBest(labPorts.storage(), best)
    } catch {
      setProblem(t('lab.trouble.not-kept'))
    }
  }, [journal])
  useEffect(() => {
    void (async () => refresh())()
  }, [refresh])

  return {
    results,
    problem,
    read: async (file: File) => {
      setProblem(null)
      if (file.size > MAX_BYTES) {
        const values = { size: formatBytes(file.size), most: formatBytes(MAX_BYTES) }
        setProblem(t('lab.import.file-too-large', values))
        return
      }
      const read = readResult(await file.text())
      if (!read.ok) {
        setProblem(read.error)
        return
      }
      await journal.keepImported(labPorts.newId(), read.value).catch(() => undefined)
      await refresh()
    },
    remove: async (id: string) => {
      await journal.removeImported(id).catch(() => undefined)
      await refresh()
    },
  }
}
