CREATE TABLE "gatherers" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"lobby_id" uuid NOT NULL,
	"state" text NOT NULL,
	"address_hash" text,
	"since" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"call_id" uuid,
	"called_at" timestamp with time zone,
	"call_ends_at" timestamp with time zone,
	"call_size" integer,
	"misses" integer DEFAULT 0 NOT NULL,
	"barred_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "lobbies" ADD COLUMN "gather_size" integer DEFAULT 2 NOT NULL;--> statement-breakpoint
ALTER TABLE "gatherers" ADD CONSTRAINT "gatherers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gatherers" ADD CONSTRAINT "gatherers_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gatherers_here" ON "gatherers" USING btree ("lobby_id") WHERE "gatherers"."state" <> 'away';--> statement-breakpoint
CREATE INDEX "gatherers_from" ON "gatherers" USING btree ("address_hash") WHERE "gatherers"."state" <> 'away';