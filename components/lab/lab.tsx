'use client'

import { useState } from 'react'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { PageHead } from '@/components/ui/page/page-head'
import { Select } from '@/components/ui/forms/select'
import { useLanguage } from '@/components/ui/page/use-language'
import type { TrialRecord } from '@/lib/client/lab/trial-record'
import { t } from '@/lib/i18n/t'
import { LabForm } from './lab-form'
import { LabPart, labNote, armLabel } from './lab-styles'
import { ExportResult, ImportedResults } from './lab-results'
import { KindTable, ReportSentences, ReportTable } from './report-table'
import { TrialList, TrialView } from './trial-list'
import { useLab, type LabState, type OpenLab, useModels } from './use-lab'
import { armKey } from '@/lib/client/lab/trials'
import type { StrategyReport } from '@/lib/client/lab/report'
import { Button } from '@/components/ui/controls/button'
import { row } from '@/components/ui/recipes/surface'
import { trialCount } from '@/lib/client/lab/plan'
import { progressBar } from '@/components/ui/recipes/recipe'

/** The lab's progress, what blocks it, and how to continue. */
function LabProgressPart({ state, lab }: { state: LabState; lab: OpenLab }) {
  const { setup } = lab.kept
  const all = trialCount(setup.plan)
  const done = lab.records.length
  const { progress, isRunning, problem } = state
  return (
    <LabPart
      title={t('lab-page.progress')}
      end={
        <div className={row()}>
          {isRunning ? (
            <Button onClick={state.stop}>{t('lab-page.stop')}</Button>
          ) : done < all && lab.probes.length > 0 ? (
            <Button look="ink" onClick={state.resume}>
              {t('lab-page.resume')}
            </Button>
          ) : null}
          {isRunning ? null : (
            <Button look="quiet" onClick={() => void state.remove(setup.id)}>
              {t('lab-page.delete')}
            </Button>
          )}
        </div>
      }
    >
      <p>
        <ForeignText text={setup.modelLabel} />{' '}
        <span className="text-muted">{t('lab-page.several', { names: setup.plan.strategies })}</span>
      </p>
      <progress
        className={progressBar({}, 'mt-2 w-full')}
        value={done}
        max={all}
        aria-label={t('lab-page.with-verdict')}
      />
      <p className={labNote} role="status">
        {t('lab-page.said', {
          all: [
            t('lab.progress', { done, all }),
            ...(isRunning && progress ? [t('lab.running', { running: progress.running })] : []),
            ...(!isRunning && progress !== null && progress.failed > 0
              ? [t('lab.failed', { failed: progress.failed })]
              : []),
          ],
        })}
      </p>
      {progress?.trouble == null && problem === null ? null : (
        <p className="mt-1 text-sm text-pretty text-danger" role="alert">
          <SentenceText
            text={t('lab-page.said', {
              all: [problem, progress?.trouble, progress?.gaveUp ? t('lab.gave-up') : null].flatMap((one) =>
                one ? [one] : [],
              ),
            })}
          />
        </p>
      )}
    </LabPart>
  )
}

const ROW = 34
const LEFT = 150
const WIDTH = 560
const RIGHT = 20
const TOP = 6
const ticks = [0, 0.25, 0.5, 0.75, 1] as const

/** Accuracies as points with their intervals. The table has every number too. */
function LabChart({ strategies }: { strategies: readonly StrategyReport[] }) {
  const shown = strategies.filter(({ accuracy }) => accuracy !== null)
  const height = TOP + shown.length * ROW + 26
  const x = (part: number) => LEFT + part * (WIDTH - LEFT - RIGHT)
  const arms = shown.flatMap((one) =>
    one.accuracy ? [t('lab-page.chart-arm', { arm: armLabel(one), share: t('lab.share', one.accuracy) })] : [],
  )
  if (shown.length === 0) return null
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      className="mt-4 block h-auto w-full max-w-[36rem] text-text"
      role="img"
      aria-label={t('lab-page.chart', { arms })}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={TOP} y2={height - 22} className="stroke-line" />
          <text x={x(tick)} y={height - 6} textAnchor="middle" className="fill-muted stroke-none text-xs">
            {t('lab-page.share', { rate: tick })}
          </text>
        </g>
      ))}
      {shown.map((one, at) => {
        const { accuracy } = one
        if (!accuracy) return null
        const y = TOP + at * ROW + ROW / 2
        return (
          <g key={armKey(one)}>
            <text x={0} y={y + 4} className="fill-text stroke-none text-sm">
              {armLabel(one)}
            </text>
            <line x1={x(accuracy.low)} x2={x(accuracy.high)} y1={y} y2={y} strokeWidth={2} className="stroke-control" />
            {[accuracy.low, accuracy.high].map((end, side) => (
              <line
                key={side}
                x1={x(end)}
                x2={x(end)}
                y1={y - 5}
                y2={y + 5}
                strokeWidth={2}
                className="stroke-control"
              />
            ))}
            <circle cx={x(accuracy.rate)} cy={y} r={5} className="fill-ink" />
          </g>
        )
      })}
    </svg>
  )
}

/** The lab page: measures which strategy a model follows best, from the choice to a report with error bars. */
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
                <SentenceText text={state.problem} />
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
