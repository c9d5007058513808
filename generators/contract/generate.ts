import { generateDdl } from './ddl.ts'
import type { GeneratedFile, Sources } from './load.ts'
import { generateOpenPoints } from './open-points.ts'
import { generateOpenapi } from './openapi.ts'
import { generateSchemas } from './schemas.ts'
import { generateSmoke } from './smoke.ts'
import { generateTypes } from './types.ts'
import { generateValidators } from './validators.ts'
import { generateViews } from './views.ts'

/** Generates every file of schemas/generated/. */
export async function generate(sources: Sources): Promise<GeneratedFile[]> {
  const files = await Promise.all([
    generateTypes(sources),
    generateValidators(sources),
    generateViews(sources),
    generateDdl(sources),
    generateOpenapi(sources),
    generateSchemas(sources),
    generateOpenPoints(sources),
    { path: 'requirements.json', text: `${JSON.stringify(sources.requirements, null, 2)}\n` },
    generateSmoke(sources),
  ])
  return files.flat()
}
