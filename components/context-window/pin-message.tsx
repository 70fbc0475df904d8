'use client'

import { useChatActions, useConversation } from '@/components/context/chat-context'
import { IconButton } from '@/components/ui/controls/button'
import { isPinned, withPin } from '@/lib/shared/conversation/settings/context-marks'
import { t } from '@/lib/i18n/t'

/** The button under a message that keeps it when others are left out of the request. */
export default function PinMessage({ messageId }: { readonly messageId: string }) {
  const marks = useConversation((view) => view.conversation?.marks)
  const { updateMarks } = useChatActions()
  const pinned = isPinned(marks, messageId)
  return (
    <IconButton
      size="sm"
      icon="pin"
      label={t(pinned ? 'pin.unpin' : 'pin.pin')}
      title={t('pin.why')}
      aria-pressed={pinned}
      className="aria-pressed:text-text"
      onClick={() => void updateMarks(withPin(marks, messageId))}
    />
  )
}
