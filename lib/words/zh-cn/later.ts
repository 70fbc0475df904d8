import { accountsZh } from './accounts'
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
import { inspectorZh } from './inspector'
import { labZh } from './lab'
import { labPageZh } from './lab-page'
import { llamaFormZh } from './llama-form'
import { logZh } from './log'
import { mayRunZh } from './may-run'
import { modelsZh } from './models'
import { modelsDialogZh } from './models-dialog'
import { outZh } from './out'
import { notifyZh } from './notify'
import { offlineZh } from './offline'
import { pasteZh } from './paste'
import { pathsZh } from './paths'
import { playgroundZh } from './playground'
import { preferencesZh } from './preferences'
import { presetsZh } from './presets'
import { pickerZh } from './picker'
import { placeZh } from './place'
import { readingZh } from './reading'
import { readableZh } from './readable'
import { saidZh } from './said'
import { schemaFormZh } from './schema-form'
import { serverZh } from './server'
import { settingsZh } from './settings'
import { storeZh } from './store'
import { toolFactsZh } from './tool-facts'
import { vfsZh } from './vfs'
import { waitsZh } from './waits'
import { wllamaZh } from './wllama'
import { workspaceZh } from './workspace'
import { zipZh } from './zip'

/** All the rest: what parts that load on need say, and pages beside the chat. */
export const laterWords = {
  ...accountsZh,
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
  ...inspectorZh,
  ...labZh,
  ...labPageZh,
  ...listZh,
  ...llamaFormZh,
  ...logZh,
  ...mayRunZh,
  ...modelsZh,
  ...modelsDialogZh,
  ...outZh,
  ...notifyZh,
  ...offlineZh,
  ...pasteZh,
  ...pathsZh,
  ...readableZh,
  ...playgroundZh,
  ...preferencesZh,
  ...presetsZh,
  ...pickerZh,
  ...placeZh,
  ...readingZh,
  ...saidZh,
  ...schemaFormZh,
  ...serverZh,
  ...settingsZh,
  ...storeZh,
  ...toolFactsZh,
  ...vfsZh,
  ...waitsZh,
  ...wllamaZh,
  ...workspaceZh,
  ...zipZh,
}
