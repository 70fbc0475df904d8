'use client'

import { useRef, useState, useCallback, useEffect } from 'react'
import { Button } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { downloadBlob } from '@/components/ui/data/download-blob'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { row } from '@/components/ui/recipes/surface'
import { importedBest, importedBests, labResultOf, type LabResult, readResult } from '@/lib/client/lab/lab-result'
import { t } from '@/lib/i18n/t'
import { ReportSentences, ReportTable } from './report-table'
import { labNote, LabPart } from './lab-styles'
import type { OpenLab } from './use-lab'
import { formatBytes } from '@/lib/base/text/locale'
import { storeImportedBest } from '@/lib/client/lab/measured-best'
import { labPorts } from '@/lib/client/wiring/models/lab.browser'

const MAX_BYTES = 50_000_000

/** Imported results of others, stored in this browser. */
function useImported() {
  const [results, setResults] = useState<readonly { readonly id: string; readonly result: LabResult }[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const { journal } = labPorts

  const refresh = useCallback(async () => {
    try {
      const all = await journal.imported()
      setResults(all)
      const best = importedBests(all.map(({ result }) => result))
      storeImportedBest(labPorts.storage(), best)
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

/** Exports the lab's numbers as a small file; texts are included only on request. */
export function ExportResult({ lab }: { lab: OpenLab }) {
  const [withTexts, setWithTexts] = useState(false)
  const [by, setBy] = useState('')
  const save = () => {
    const result = labResultOf(lab.kept.setup, lab.report, by.trim() === '' ? null : by.trim().slice(0, 200))
    const whole = withTexts ? { ...result, trials: lab.records } : result
    const blob = new Blob([`${JSON.stringify(whole, null, 2)}\n`], { type: 'application/json' })
    downloadBlob(`lab ${lab.kept.setup.modelLabel}.json`, blob)
  }
  return (
    <div className={row({}, 'mt-5 gap-x-4')}>
      <Button onClick={save}>{t('lab-page.export')}</Button>
      <label className="inline-flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-ink"
          checked={withTexts}
          onChange={(event) => setWithTexts(event.target.checked)}
        />
        {t('lab-page.with-texts')}
      </label>
      <label className="inline-flex items-center gap-2 text-sm">
        {t('lab-page.measured-by')}
        <input
          className="h-7 w-40 rounded-md border border-control bg-raised px-2 pointer-coarse:h-9 pointer-coarse:text-lg/[inherit]"
          value={by}
          placeholder={t('lab-page.nobody')}
          onChange={(event) => setBy(event.target.value)}
        />
      </label>
    </div>
  )
}

/** The results of others. If they show a best format, the chat's lists name it with its source. */
export function ImportedResults() {
  const input = useRef<HTMLInputElement>(null)
  const { results, problem, read, remove } = useImported()
  return (
    <LabPart
      title={t('lab-page.others')}
      end={
        <>
          <Button onClick={() => input.current?.click()}>{t('lab-page.import')}</Button>
          <FileField
            field={input}
            label={t('lab-page.result-file')}
            accept=".json,application/json"
            onPick={([file]) => file && void read(file)}
          />
        </>
      }
    >
      {problem === null ? null : (
        <p className="mb-3 text-sm text-danger" role="alert">
          <SentenceText text={problem} />
        </p>
      )}
      {results.length === 0 ? <p className={labNote}>{t('lab-page.no-results')}</p> : null}
      {results.map(({ id, result }) => (
        <ImportedResult key={id} result={result} onRemove={() => void remove(id)} />
      ))}
    </LabPart>
  )
}

const countsSentence = (best: ReturnType<typeof importedBest>): string => {
  if (best === 'prompts') return t('lab-page.counts-prompts')
  return best === 'none' ? t('lab-page.counts-none') : t('lab-page.counts', { strategy: best.strategy })
}

function ImportedResult({ result, onRemove }: { result: LabResult; onRemove: () => void }) {
  return (
    <article className="mb-6 rounded-lg border border-line p-4 narrow:p-3">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="font-strong">
          <ForeignText text={result.modelLabel} />
        </h3>
        <span className={labNote}>
          <SentenceText
            text={t('lab-page.result', {
              by: result.by ?? '',
              at: result.startedAt,
              provider: result.provider,
              quantisation: result.quantisation ?? '',
              probes: result.probes,
              source: result.probeSource,
              temperature: result.temperature,
            })}
          />
        </span>
        <Button look="quiet" className="ms-auto" onClick={onRemove}>
          {t('lab-page.remove')}
        </Button>
      </div>
      <div className="mt-3">
        <ReportTable strategies={result.strategies} trials={result.trialsPerProbe} />
        <ReportSentences report={{ strategies: result.strategies, comparisons: result.comparisons, spread: null }} />
        <p className={labNote}>{countsSentence(importedBest(result))}</p>
      </div>
    </article>
  )
}
