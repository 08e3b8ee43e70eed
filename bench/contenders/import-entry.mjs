import "skillset";
