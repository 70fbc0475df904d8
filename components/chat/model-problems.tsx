'use client'

import { t } from '@/lib/i18n/t'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { problemsOfModels } from '@/lib/shared/conversation/wire/model-problems'
import { notice } from '@/components/ui/recipes/surface'

/**
 * Shows the errors of the model sources where someone who just connected one looks first. Renders nothing if all
 * answered.
 */
export default function ModelProblems() {
  const problems = problemsOfModels(useChat((state) => state.models))
  const { reloadModels } = useChatActions()
  const [asking, setAsking] = useState(false)
  if (problems.length === 0) return null
  const again = async () => {
    setAsking(true)
    await reloadModels()
    setAsking(false)
  }
  return (
    <div
      className={notice({ tone: 'warn', size: 'banner' }, 'mt-6 mb-2')}
      role="status"
      aria-label={t('frame.missing-models')}
    >
      <Icon name="warn" />
      <ul className="grid flex-1 gap-1 wrap-anywhere">
        {problems.map((problem) => (
          <li key={problem}>
            <SentenceText text={problem} />
          </li>
        ))}
      </ul>
      <Button onClick={() => void again()} disabled={asking}>
        {asking ? t('frame.asking') : t('frame.try-again')}
      </Button>
    </div>
  )
}
