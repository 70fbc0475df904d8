'use client'

import { useState } from 'react'
import { SaidText } from '@/components/ui/foreign-text'
import { PageHead } from '@/components/ui/page-head'
import { Select } from '@/components/ui/select'
import { useLanguage } from '@/components/ui/use-language'
import type { TrialRecord } from '@/lib/lab/trial-record'
import { t } from '@/lib/i18n/t'
import { LabChart } from './lab-chart'
import { LabForm } from './lab-form'
import { LabPart } from './lab-look'
import { LabProgressPart } from './lab-progress'
import { ExportResult, ImportedResults } from './lab-results'
import { KindTable, ReportSentences, ReportTable } from './report-table'
import { TrialList } from './trial-list'
import { TrialView } from './trial-view'
import { useLab } from './use-lab'
import { useModels } from './use-models'

/** Which strategy a model obeys, measured: from the choice to a report with error bars. */
export function Lab() {
  useLanguage()
  const state = useLab()
  const known = useModels()
  const [opened, setOpened] = useState<TrialRecord | null>(null)
  const { lab, kept } = state
  return (
    <main className="flex min-h-dvh min-w-0 flex-col">
      <PageHead title={t('lab-page.title')}>
        {kept.length > 1 && !state.isRunning ? (
          <Select
            inBar
            label={t('lab-page.lab')}
            value={lab?.kept.setup.id ?? ''}
            options={kept.map(({ setup }) => ({
              value: setup.id,
              label: t('lab-page.lab-of', { model: setup.modelLabel, at: setup.startedAt }),
            }))}
            onChange={(id) => {
              const found = kept.find(({ setup }) => setup.id === id)
              setOpened(null)
              if (found) void state.open(found)
            }}
          />
        ) : null}
      </PageHead>
      {opened && lab ? (
        <TrialView lab={lab} record={opened} onClose={() => setOpened(null)} />
      ) : (
        <div className="mx-auto w-full max-w-[64rem] px-5 pb-12 narrow:px-3.5">
          <p className="max-w-[42rem] py-6 text-pretty text-muted">{t('lab-page.about')}</p>
          <LabForm
            known={known}
            isRunning={state.isRunning}
            onStart={(next, probes) => void state.begin(next, probes)}
          />
          {lab === null ? (
            state.problem === null ? null : (
              <p className="text-danger" role="alert">
                <SaidText text={state.problem} />
              </p>
            )
          ) : (
            <>
              <LabProgressPart state={state} lab={lab} />
              <LabPart title={t('lab-page.report')}>
                <ReportTable strategies={lab.report.strategies} trials={lab.kept.setup.plan.trials} />
                <LabChart strategies={lab.report.strategies} />
                <ReportSentences report={lab.report} />
                <KindTable strategies={lab.report.strategies} />
                <ExportResult lab={lab} />
              </LabPart>
              <TrialList lab={lab} onOpen={setOpened} />
            </>
          )}
          <ImportedResults />
        </div>
      )}
    </main>
  )
}
