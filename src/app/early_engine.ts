/**
 * On a later visit the engine starts while the rest of the app loads. A tag of its own in the built page, before the
 * app's (scripts/vite/early_script.mjs).
 */
import { startEarly } from '../engine/worker/browser'

if (!new URLSearchParams(location.search).has('embed')) startEarly()
