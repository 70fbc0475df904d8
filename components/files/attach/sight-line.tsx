import { t } from '@/lib/i18n/t'
import { shortName } from '@/lib/i18n/model-label'
import { useEffect } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { TextButton } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { chosenSight, withSight } from '@/lib/shared/models/sees-images'
import { rememberedSight, rememberSight } from '@/lib/client/browser/model-sight'
import { labStorage } from '@/lib/client/wiring/models/lab-storage.browser'
import { AttachLine } from './attached-list'

/** Beside pictures that wait to be sent: that the model is sent none, and the switch for it. */
export function SightLine() {
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const model = useChat((state) => state.models?.models.find(({ id }) => id === settings?.model))
  const { updateSettings } = useChatActions()
  const listed = model?.seesImages ?? null
  const chosen = settings && chosenSight(settings)
  const before = settings && chosen === null ? rememberedSight(labStorage(), settings.model) : null
  const remembered = before === listed ? null : before
  // What was said of this model in another chat counts here too. The server knows it by the settings of this chat.
  useEffect(() => {
    if (settings && remembered !== null) void updateSettings(withSight(settings, remembered))
  }, [settings, remembered, updateSettings])
  if (!settings || !model || remembered !== null) return null
  if (listed === true && chosen !== false) return null
  const say = (sees: boolean) => {
    rememberSight(labStorage(), settings.model, sees)
    void updateSettings(withSight(settings, sees))
  }
  const name = shortName(model)
  return (
    <AttachLine tone="quiet">
      {chosen === true ? (
        <>
          <SentenceText text={t('attach.sees-said', { model: name })} />{' '}
          <TextButton onClick={() => say(false)}>{t('attach.sees-not')}</TextButton>
        </>
      ) : (
        <>
          <SentenceText
            text={t(chosen === null && listed === null ? 'attach.sight-unknown' : 'attach.blind', { model: name })}
          />{' '}
          <TextButton onClick={() => say(true)}>{t('attach.sees')}</TextButton>
        </>
      )}
    </AttachLine>
  )
}
