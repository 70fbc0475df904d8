import { armKey } from '@/lib/lab/arm'
import type { StrategyReport } from '@/lib/lab/report'
import { t } from '@/lib/i18n/t'
import { armWords } from './arm-words'

const ROW = 34
const LEFT = 150
const WIDTH = 560
const RIGHT = 20
const TOP = 6
const ticks = [0, 0.25, 0.5, 0.75, 1] as const

/** Accuracies as points with their intervals. Every number of it stands in the table too. */
export function LabChart({ strategies }: { strategies: readonly StrategyReport[] }) {
  const shown = strategies.filter(({ accuracy }) => accuracy !== null)
  const height = TOP + shown.length * ROW + 26
  const x = (part: number) => LEFT + part * (WIDTH - LEFT - RIGHT)
  const arms = shown.flatMap((one) =>
    one.accuracy ? [t('lab-page.chart-arm', { arm: armWords(one), share: t('lab.share', one.accuracy) })] : [],
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
              {armWords(one)}
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
