'use client'

import { useEffect, useState } from 'react'
import { useSpeech } from '@/components/context/use-speech'
import { IconButton } from '@/components/ui/controls/button'
import { speechSynthesisOrNull } from '@/lib/base/features.browser'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

/** The text without Markdown marks and code, which can't be read aloud. */
export const spoken = (markdown: string): string =>
  markdown
    .replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+/gm, '')
    .replaceAll(/[*_`~|]+/g, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()

/** Reads a reply aloud with a browser voice. `text` is read when the button is pressed. */
export default function ReadAloud({ text }: { text: () => string }) {
  useLanguage()
  const isOn = useSpeech()
  const voice = speechSynthesisOrNull()
  const [isReading, setReading] = useState(false)
  useEffect(() => {
    if (isReading) return () => voice?.cancel()
    return undefined
  }, [isReading, voice])
  if (!isOn || !voice) return null
  const read = () => {
    if (isReading) return setReading(false)
    const words = spoken(text())
    if (words === '') return
    voice.cancel()
    const utterance = new SpeechSynthesisUtterance(words)
    // Han characters without kana: the voice of the page's language may not support them.
    utterance.lang = /\p{Script=Han}/u.test(words) ? 'zh-CN' : document.documentElement.lang
    utterance.addEventListener('end', () => setReading(false))
    utterance.addEventListener('error', () => setReading(false))
    voice.speak(utterance)
    setReading(true)
  }
  return (
    <IconButton
      size="sm"
      icon={isReading ? 'stop' : 'speaker'}
      label={t(isReading ? 'thread.read-stop' : 'thread.read')}
      aria-pressed={isReading}
      onClick={read}
    />
  )
}
