import { NoSharedChat } from '@/components/export/no-shared-chat'

export default function SharedNotFound() {
  return <NoSharedChat />
}
