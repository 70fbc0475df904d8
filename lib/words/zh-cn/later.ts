import { accountPageZh } from './account-page'
import { accountsZh } from './accounts'
import { adminZh } from './admin'
import { artifactsZh } from './artifacts'
import { asksZh } from './asks'
import { attachZh } from './attach'
import { bringZh } from './bring'
import { browserModelsZh } from './browser-models'
import { cardsZh } from './cards'
import { chatZh } from './chat'
import { listZh } from './chat-list'
import { contextZh } from './context'
import { chatSettingsZh } from './chat-settings'
import { commandsZh } from './commands'
import { exactZh } from './exact'
import { fileChangesZh } from './file-changes'
import { grantsZh } from './grants'
import { importChatZh } from './import-chat'
import { labZh } from './lab'
import { limitsZh } from './limits'
import { llamaFormZh } from './llama-form'
import { modelsZh } from './models'
import { outZh } from './out'
import { notifyZh } from './notify'
import { offlineZh } from './offline'
import { pagesZh } from './pages'
import { pasteZh } from './paste'
import { pathsZh } from './paths'
import { preferencesZh } from './preferences'
import { presetsZh } from './presets'
import { pickerZh } from './picker'
import { placeZh } from './place'
import { readingZh } from './reading'
import { readableZh } from './readable'
import { saidZh } from './said'
import { serverZh } from './server'
import { settingsZh } from './settings'
import { storeZh } from './store'
import { threadPartsZh } from './thread-parts'
import { titleEditorZh } from './title-editor'
import { vfsZh } from './vfs'
import { waitsZh } from './waits'
import { wllamaZh } from './wllama'
import { workspaceZh } from './workspace'
import { zipZh } from './zip'

/** All the rest: what parts that load on need say, and pages beside the chat. */
export const laterWords = {
  ...accountPageZh,
  ...accountsZh,
  ...adminZh,
  ...artifactsZh,
  ...asksZh,
  ...attachZh,
  ...bringZh,
  ...browserModelsZh,
  ...cardsZh,
  ...chatZh,
  ...contextZh,
  ...chatSettingsZh,
  ...commandsZh,
  ...exactZh,
  ...fileChangesZh,
  ...grantsZh,
  ...importChatZh,
  ...labZh,
  ...listZh,
  ...limitsZh,
  ...llamaFormZh,
  ...modelsZh,
  ...outZh,
  ...notifyZh,
  ...offlineZh,
  ...pagesZh,
  ...pasteZh,
  ...pathsZh,
  ...readableZh,
  ...preferencesZh,
  ...presetsZh,
  ...pickerZh,
  ...placeZh,
  ...readingZh,
  ...saidZh,
  ...serverZh,
  ...settingsZh,
  ...storeZh,
  ...threadPartsZh,
  ...titleEditorZh,
  ...vfsZh,
  ...waitsZh,
  ...wllamaZh,
  ...workspaceZh,
  ...zipZh,
}
