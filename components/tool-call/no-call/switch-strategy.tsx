'use client'

import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { TextButton } from '@/components/ui/text-button'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { t } from '@/lib/i18n/t'
import { cardNote } from '../look/card'
import { saidAround } from '../sentence'
import { useSwitchStrategy } from './use-switch-strategy'

/** The model writes in another of our strategies, or calls natively: from now on the chat may use that. */
export function SwitchStrategy({ to, from }: { to: string; from: string }) {
  const { current, switchTo, problem } = useSwitchStrategy()
  if (current === to || !toolContextBuilder.isStrategyId(to)) return null
  const isNative = toolContextBuilder.get(to).callsBy === 'provider'
  return (
    <p className={cardNote({ look: 'links' })}>
      <TextButton onClick={() => void switchTo(to)}>
        {t(isNative ? 'no-call.switch-native' : 'no-call.switch')}
      </TextButton>
      <span>
        {isNative
          ? t('no-call.switch-native-then')
          : saidAround((put) =>
              t('no-call.switch-then', {
                to: put(<ForeignText text={to} />),
                from: put(<ForeignText text={from} />),
              }),
            )}
      </span>
      {problem ? (
        <span className="text-sm text-pretty text-danger" role="alert">
          <SaidText text={problem} />
        </span>
      ) : null}
    </p>
  )
}
