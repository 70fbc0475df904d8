'use client'

import { useEffect, useRef, useState } from 'react'
import { useSpeech } from '@/components/context/use-speech'
import { IconButton } from '@/components/ui/controls/button'
import { useLanguage } from '@/components/ui/page/use-language'
import { speechRecognitionOrNull, type Dictation } from '@/lib/base/features.browser'
import { t } from '@/lib/i18n/t'

const reasons: Readonly<Record<string, 'denied' | 'silent'>> = {
  'not-allowed': 'denied',
  'service-not-allowed': 'denied',
  'audio-capture': 'silent',
  'no-speech': 'silent',
}

/** Dictates into the message with the browser's speech recognition. `onWords` receives each final piece. */
export default function Dictate({
  onWords,
  onProblem,
}: {
  onWords: (words: string) => void
  onProblem: (problem: string) => void
}) {
  useLanguage()
  const isOn = useSpeech()
  const Recognition = speechRecognitionOrNull()
  const running = useRef<Dictation>(null)
  const [isListening, setListening] = useState(false)
  useEffect(() => () => running.current?.stop(), [])
  if (!isOn || !Recognition) return null
  const start = () => {
    if (isListening) return running.current?.stop()
    const dictation = new Recognition()
    running.current = dictation
    dictation.lang = document.documentElement.lang
    dictation.continuous = true
    dictation.interimResults = false
    dictation.onresult = ({ resultIndex, results }) => {
      for (const result of Array.from(results).slice(resultIndex)) {
        if (result.isFinal) onWords(result[0]?.transcript ?? '')
      }
    }
    dictation.onerror = ({ error }) => {
      if (error !== 'aborted') onProblem(t('dictate.failed', { why: reasons[error] ?? 'other' }))
    }
    dictation.onend = () => setListening(false)
    onProblem('')
    dictation.start()
    setListening(true)
  }
  return (
    <IconButton
      icon={isListening ? 'stop' : 'microphone'}
      label={t(isListening ? 'dictate.stop' : 'dictate.start')}
      aria-pressed={isListening}
      onClick={start}
    />
  )
}
