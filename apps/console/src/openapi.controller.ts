import { Controller, Get } from '@nestjs/common';
import { openApiDocument } from './openapi.ts';

/** The description of this API. */
@Controller('openapi.json')
export class OpenApiController {
  /** Made at the first request: it takes long, and never changes. */
  private document?: object;

  @Get()
  read(): object {
    return (this.document ??= openApiDocument());
  }
}
