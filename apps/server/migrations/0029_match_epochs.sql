CREATE TABLE "match_epochs" (
	"match_id" uuid NOT NULL,
	"epoch" integer NOT NULL,
	"secret" text NOT NULL,
	"tick" integer NOT NULL,
	"part_count" integer NOT NULL,
	"bytes" integer NOT NULL,
	"chain" text NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "match_epochs_match_id_epoch_pk" PRIMARY KEY("match_id","epoch")
);
--> statement-breakpoint
ALTER TABLE "match_epochs" ADD CONSTRAINT "match_epochs_match_id_matches_id_fk" FOREIGN KEY ("match_id") REFERENCES "public"."matches"("id") ON DELETE no action ON UPDATE no action;