/** The page that other sites may frame: a workspace to look at. It runs no code and stores nothing. */
import { createRoot } from 'react-dom/client'
import '../theme/tokens.css'
import '../theme/canvas_tokens.css'
import '../theme/base.css'
import '../theme/foreign.css'
import { applyProjector } from '../theme/projector'
import { applyTheme } from '../theme/theme_store'
import { Guard } from '../ui/Guard'
import { EmbedApp } from './EmbedApp'
import { startEmbed } from './start'

applyTheme()
applyProjector()
startEmbed()
createRoot(document.getElementById('root')!).render(
  <Guard what="The page">
    <EmbedApp />
  </Guard>,
)
