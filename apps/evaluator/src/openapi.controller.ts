import { Controller, Get } from '@nestjs/common';
import { openApiDocument } from './openapi.ts';

/** The description of this API. */
@Controller('openapi.json')
export class OpenApiController {
  @Get()
  read(): object {
    return openApiDocument();
  }
}
